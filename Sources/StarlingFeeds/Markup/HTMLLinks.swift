import StarlingModel

/// The links inside of a text of HTML.
enum HTMLLinks {
  /// The attributes whose values are addresses.
  private static let names: Set<String> = [
    "href", "src", "cite", "action", "longdesc", "background", "poster", "data", "usemap",
    "codebase", "classid", "profile", "formaction",
  ]

  /// The HTML with its relative addresses made absolute; nil when it has none.
  ///
  /// Only values of attributes inside of tags are touched; everything else stays byte by byte.
  static func absolutize(_ html: ArraySlice<UInt8>, base: String) -> [UInt8]? {
    let base = URLReference(base)
    guard base.scheme != nil else { return nil }
    var result: [UInt8] = []
    var copied = html.startIndex
    var at = html.startIndex
    while let open = html[at...].firstIndex(of: 0x3C) {
      at = open + 1
      guard at < html.endIndex, html[at] | 0x20 >= 0x61, html[at] | 0x20 <= 0x7A else { continue }
      while let (name, value) = attribute(html, &at) {
        guard !value.isEmpty else { continue }
        let attribute = string(html[name]).lowercased()
        let written = decoded(string(html[value]))
        let absolute: String?
        if attribute == "srcset" || attribute == "imagesrcset" {
          absolute = absolutizedSet(written, base)
        } else {
          absolute = names.contains(attribute) ? absolutized(written.trimmed, base) : nil
        }
        guard let absolute else { continue }
        result.append(contentsOf: html[copied..<value.lowerBound])
        result.append(contentsOf: encoded(absolute).utf8)
        copied = value.upperBound
      }
    }
    guard copied > html.startIndex else { return nil }
    result.append(contentsOf: html[copied...])
    return result
  }

  /// The absolute form of an address; nil where it is no other.
  private static func absolutized(_ text: String, _ base: URLReference) -> String? {
    guard !text.isEmpty, !hasScheme(text), text.utf8.first != 0x23 else { return nil }
    let absolute = URLReference(text).resolved(against: base).description
    return absolute == text ? nil : absolute
  }

  /// The same for a list of pictures, each with a size behind it (HTML, 4.8.4.2.1).
  private static func absolutizedSet(_ text: String, _ base: URLReference) -> String? {
    var isChanged = false
    let pictures = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let words = part.split { $0.isWhitespace }
      guard let first = words.first, let absolute = absolutized(String(first), base) else {
        return String(part)
      }
      isChanged = true
      return ([absolute] + words.dropFirst().map(String.init)).joined(separator: " ")
    }
    return isChanged ? pictures.map(\.trimmed).joined(separator: ", ") : nil
  }

  /// The next attribute of the tag at hand; nil at its end.
  private static func attribute(
    _ html: ArraySlice<UInt8>, _ at: inout Int
  ) -> (name: Range<Int>, value: Range<Int>)? {
    while at < html.endIndex {
      while at < html.endIndex, !ByteScan.isSpace(html[at]), html[at] != 0x3E { at += 1 }
      while at < html.endIndex, ByteScan.isSpace(html[at]) || html[at] == 0x2F { at += 1 }
      guard at < html.endIndex, html[at] != 0x3E else { return nil }
      let name = at
      while at < html.endIndex, ByteScan.isName(html[at]) { at += 1 }
      let end = at
      while at < html.endIndex, ByteScan.isSpace(html[at]) { at += 1 }
      guard at < html.endIndex, html[at] == 0x3D else {
        if at == name { at += 1 }
        continue
      }
      at += 1
      while at < html.endIndex, ByteScan.isSpace(html[at]) { at += 1 }
      guard at < html.endIndex else { return nil }
      return (name..<end, value(html, &at))
    }
    return nil
  }

  private static func value(_ html: ArraySlice<UInt8>, _ at: inout Int) -> Range<Int> {
    let quote = html[at]
    guard quote == 0x22 || quote == 0x27 else {
      let start = at
      while at < html.endIndex, !ByteScan.isSpace(html[at]), html[at] != 0x3E { at += 1 }
      return start..<at
    }
    at += 1
    let start = at
    while at < html.endIndex, html[at] != quote { at += 1 }
    let end = at
    if at < html.endIndex { at += 1 }
    return start..<end
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard text.utf8.contains(0x3A) else { return false }
    let bytes = Array(text.utf8)
    return URLBytes.hasScheme(bytes, 0..<bytes.count)
  }

  private static func decoded(_ value: String) -> String {
    value.utf8.contains(0x26) ? value.replacing("&amp;", with: "&") : value
  }

  private static func encoded(_ value: String) -> String {
    guard value.utf8.contains(where: { $0 == 0x26 || $0 == 0x22 }) else { return value }
    return value.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
  }
}
