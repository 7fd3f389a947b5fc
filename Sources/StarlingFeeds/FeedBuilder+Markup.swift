import Glibc
import StarlingModel

extension FeedBuilder {
  /// How the text of a field is written, by its format's rules.
  func form(_ frame: Frame, _ attributes: XMLAttributes) -> Form {
    guard frame.family == .atom else { return .raw }
    switch frame.tag {
    case .title, .summary, .content, .subtitle: break
    default: return .raw
    }
    let type = unsafe attributes.value("type").map { unsafe lowered($0) }
    let mode = unsafe attributes.value("mode").map { unsafe lowered($0) }
    if let mode {
      switch mode {
      case "escaped": return .raw
      case "base64": return .base64
      case "xml": return .markup
      default: break
      }
    }
    switch type {
    case nil, "text", "text/plain": return .plain
    case "xhtml": return .escapedXHTML
    case "application/xhtml+xml": return .markup
    case "html", "text/html": return .raw
    case let type? where type.hasSuffix("+xml") || type.hasSuffix("/xml"): return .markup
    case let type? where type.hasPrefix("text/"): return .plain
    case let type? where type.contains("/"): return .base64
    default: return .raw
    }
  }

  private func lowered(_ value: UnsafeBufferPointer<UInt8>) -> String {
    unsafe String(decoding: value, as: UTF8.self).trimmed.lowercased()
  }

  /// Writes the start tag of inline markup into the text of the field around it.
  mutating func openMarkup(_ attributes: XMLAttributes, _ frame: inout Frame) {
    let parent = frames.count - 1
    if frames[parent].role != .markup { becomeMarkup(parent) }
    frame.role = .markup
    frame.form = .markup
    let name = names.names[Int(frame.name)]
    guard current.bytes.count <= FeedBuilder.maximumItemBytes else { return }
    current.bytes.append(0x3C)
    current.bytes.append(contentsOf: name.local)
    if let uri = name.uri, isForeign(frame, in: frames[parent]) {
      appendAttribute("xmlns", uri.utf8.span)
    }
    for index in 0..<(unsafe attributes.count) { unsafe appendAttribute(attributes, index) }
    current.bytes.append(0x3E)
    frame.start = current.bytes.count
  }

  /// The first inline element shows how the text before it is to be taken.
  private mutating func becomeMarkup(_ index: Int) {
    switch frames[index].form {
    case .markup, .xhtml: break
    case .escapedXHTML:
      let start = frames[index].start
      let text = Array(current.bytes[start...])
      current.bytes.removeSubrange(start...)
      unsafe text.withUnsafeBufferPointer { unsafe appendEscaped($0) }
      frames[index].form = .xhtml
    case .raw, .plain, .base64: frames[index].form = .markup
    }
  }

  /// Whether an element needs its namespace said: it is neither HTML nor the feed's own nor that of
  /// the element around it.
  private func isForeign(_ frame: Frame, in parent: Frame) -> Bool {
    switch frame.family {
    case .xhtml, .rss, .atom: return false
    default:
      return parent.role != .markup
        || names.names[Int(parent.name)].uri != names.names[Int(frame.name)].uri
    }
  }

  private mutating func appendAttribute(_ attributes: XMLAttributes, _ index: Int) {
    guard let local = unsafe attributes.name(index) else { return }
    current.bytes.append(0x20)
    if let prefix = unsafe attributes.prefix(index) {
      unsafe current.bytes.append(
        contentsOf: UnsafeBufferPointer(start: prefix, count: strlen(prefix)))
      current.bytes.append(0x3A)
    }
    unsafe current.bytes.append(contentsOf: UnsafeBufferPointer(start: local, count: strlen(local)))
    current.bytes.append("=\"")
    let value = unsafe attributes.value(index)
    for place in 0..<value.count {
      let byte = unsafe value[place]
      switch byte {
      case 0x22: current.bytes.append("&quot;")
      case 0x26: current.bytes.append("&amp;")
      case 0x3C: current.bytes.append("&lt;")
      default: current.bytes.append(byte)
      }
    }
    current.bytes.append(0x22)
  }

  private mutating func appendAttribute(_ name: StaticString, _ value: Span<UInt8>) {
    current.bytes.append(0x20)
    current.bytes.append(name)
    current.bytes.append("=\"")
    for index in value.indices { current.bytes.append(value[index]) }
    current.bytes.append(0x22)
  }

  /// Writes the end tag; an element without content becomes `<br />`.
  mutating func closeMarkup(_ frame: Frame) {
    let local = names.names[Int(frame.name)].local
    if current.bytes.count == frame.start, FeedBuilder.isVoid(local) {
      current.bytes[frame.start - 1] = 0x20
      current.bytes.append("/>")
    } else {
      current.bytes.append("</")
      current.bytes.append(contentsOf: local)
      current.bytes.append(0x3E)
    }
  }

  private static let voids: Set<[UInt8]> = Set(
    [
      "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
      "source", "track", "wbr",
    ].map { Array($0.utf8) })

  private static func isVoid(_ local: [UInt8]) -> Bool {
    voids.contains(local)
  }
}
