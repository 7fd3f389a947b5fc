import CXML2
import StarlingModel

/// Reads bookmarks that a browser or a service wrote as HTML: Netscape's bookmark file, which all
/// browsers export (`DL`, `DT`, `H3`, `A HREF ADD_DATE TAGS`, `DD`), and Pocket's list (`a href
/// time_added tags`).
///
/// A folder counts as a tag, but for those that a browser makes itself. Times may count seconds,
/// milliseconds or microseconds.
package enum BookmarkReader {
  /// Whether a document is of this kind, by its beginning.
  package static func isOne(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
    return head.contains("netscape-bookmark-file") || head.contains("pocket export")
      || (head.contains("<html") || head.contains("<dl")) && head.contains("<a ")
  }

  package static func read(_ bytes: [UInt8]) -> BookmarkList {
    _ = XMLPushParser.isReady
    let reader = BookmarkEvents()
    guard let context = unsafe htmlNewParserCtxt() else { return BookmarkList() }
    defer { unsafe htmlFreeParserCtxt(context) }
    unsafe context.pointee.sax.pointee = BookmarkEvents.handlers()
    unsafe context.pointee.userData = Unmanaged.passUnretained(reader).toOpaque()
    unsafe reader.context = context
    let flags = [
      HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET,
      HTML_PARSE_NODEFDTD,
    ]
    let options = Int32(flags.reduce(0) { $0 | $1.rawValue })
    let isUTF8 = unsafe bytes.withUnsafeBufferPointer { unsafe UTF8Validation.isValid($0) }
    unsafe bytes.withUnsafeBytes { all in
      let text = unsafe all.bindMemory(to: CChar.self)
      _ = unsafe htmlCtxtReadMemory(
        context, text.baseAddress, Int32(truncatingIfNeeded: min(text.count, 1 << 30)), nil,
        isUTF8 ? "UTF-8" : nil, options)
    }
    unsafe reader.context = nil
    return reader.finished()
  }
}

/// Takes the events of libxml2's HTML parser.
@safe private final class BookmarkEvents {
  private enum Taking { case nothing, folder, title, note }

  var context: htmlParserCtxtPtr?
  private var list = BookmarkList()
  private var bookmark: Bookmark?
  private var text: [UInt8] = []
  private var taking = Taking.nothing
  /// The open lists, each with its folder's name; "" for one without.
  private var folders: [String] = []
  /// The name of the list that opens next.
  private var heading = ""
  private var isBrowserFolder = false

  static func handlers() -> xmlSAXHandler {
    var handlers = unsafe xmlSAXHandler()
    unsafe handlers.startElement = { target, name, attributes in
      guard let target = unsafe target, let name = unsafe name else { return }
      unsafe BookmarkEvents.from(target).start(
        String(cString: name), BookmarkEvents.values(attributes))
    }
    unsafe handlers.endElement = { target, name in
      guard let target = unsafe target, let name = unsafe name else { return }
      unsafe BookmarkEvents.from(target).end(String(cString: name))
    }
    let text: charactersSAXFunc = { target, bytes, count in
      guard let target = unsafe target, let bytes = unsafe bytes else { return }
      unsafe BookmarkEvents.from(target).append(
        UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    unsafe handlers.characters = text
    unsafe handlers.ignorableWhitespace = text
    unsafe handlers.cdataBlock = text
    return unsafe handlers
  }

  private static func from(_ target: UnsafeMutableRawPointer) -> BookmarkEvents {
    unsafe Unmanaged<BookmarkEvents>.fromOpaque(target).takeUnretainedValue()
  }

  /// Names in lower case; an attribute without a value is empty.
  private static func values(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) -> [String: String] {
    guard var place = unsafe attributes else { return [:] }
    var values: [String: String] = [:]
    while let name = unsafe place.pointee {
      unsafe values[String(cString: name).lowercased()] =
        unsafe place[1].map { unsafe String(cString: $0) } ?? ""
      unsafe place += 2
    }
    return values
  }

  private var line: Int { unsafe Int(context?.pointee.input?.pointee.line ?? 0) }

  private func start(_ name: String, _ attributes: [String: String]) {
    switch name.lowercased() {
    case "h1", "h2", "h3":
      isBrowserFolder =
        attributes["personal_toolbar_folder"] != nil
        || attributes["unfiled_bookmarks_folder"] != nil
      take(.folder)
    case "dl", "ul", "ol":
      keepNote()
      folders.append(heading)
      heading = ""
    case "a":
      finish()
      guard let url = attributes["href"]?.trimmed, !url.isEmpty else { return }
      var made = Bookmark(line: line, url: url)
      made.tags = BookmarkEvents.tags(attributes["tags"])
      made.added = (attributes["add_date"] ?? attributes["time_added"])
        .flatMap { Int64($0.trimmed) }.flatMap { $0 > 0 ? Timestamp(epoch: $0) : nil }
      bookmark = made
      take(.title)
    case "dd": if bookmark != nil { take(.note) }
    case "dt", "li", "hr": finish()
    default: break
    }
  }

  private func end(_ name: String) {
    switch name.lowercased() {
    case "h1", "h2", "h3":
      guard taking == .folder else { return }
      heading = isBrowserFolder ? "" : HTMLText.folded(text)
      // A document's own title stands before its first list and is no folder.
      if folders.isEmpty, name != "h3" { heading = "" }
      taking = .nothing
    case "dl", "ul", "ol":
      finish()
      _ = folders.popLast()
      heading = ""
    case "a":
      guard taking == .title else { return }
      let title = HTMLText.folded(text)
      bookmark?.title = title.isEmpty ? nil : title
      taking = .nothing
    case "dd": keepNote()
    default: break
    }
  }

  private func take(_ what: Taking) {
    taking = what
    text.removeAll(keepingCapacity: true)
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if taking != .nothing { unsafe text.append(contentsOf: bytes) }
  }

  private func keepNote() {
    guard taking == .note else { return }
    let note = HTMLText.folded(text)
    bookmark?.note = note.isEmpty ? nil : note
    taking = .nothing
  }

  /// Ends the bookmark at hand.
  private func finish() {
    keepNote()
    guard var done = bookmark else { return }
    for folder in folders where !folder.isEmpty && !done.tags.contains(folder) {
      done.tags.append(folder)
    }
    list.bookmarks.append(done)
    bookmark = nil
    taking = .nothing
  }

  /// Pocket and most services separate tags by commas.
  private static func tags(_ text: String?) -> [String] {
    var tags: [String] = []
    for part in (text ?? "").split(separator: ",") {
      let tag = String(part).trimmed
      if !tag.isEmpty, !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }

  func finished() -> BookmarkList {
    finish()
    return list
  }
}

extension HTMLText {
  /// Text with its white space folded, as a person reads it.
  fileprivate static func folded(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }
}
