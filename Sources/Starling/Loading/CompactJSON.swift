import StarlingFeeds
import StarlingModel

/// JSON values as text without blanks.
enum CompactJSON {
  /// Parses one strict JSON value and writes it without blanks.
  static func text(of bytes: [UInt8]) throws(FeedError) -> [UInt8] {
    let document = try JSONDocument.parse(bytes)
    var writer = JSONWriter()
    write(document, document.root, &writer)
    return writer.bytes
  }

  /// One value with the members of its objects by name, so that equal values are equal texts.
  static func sorted(_ document: JSONDocument, _ node: JSONDocument.Node) -> String {
    var writer = JSONWriter()
    write(document, node, &writer, isSorted: true)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A document with at most so many elements of one of its lists.
  static func text(
    of document: JSONDocument, limiting list: JSONDocument.Node, to count: Int
  ) -> [UInt8] {
    var writer = JSONWriter()
    write(document, document.root, &writer, limit: (list, count))
    return writer.bytes
  }

  private static func write(
    _ document: JSONDocument, _ node: JSONDocument.Node, _ writer: inout JSONWriter,
    isSorted: Bool = false, limit: (list: JSONDocument.Node, count: Int)? = nil
  ) {
    switch document.kind(node) {
    case .null: writer.null()
    case .boolean: writer.boolean(document.boolean(node))
    case .integer: writer.integer(document.integer(node))
    case .real: writer.real(document.real(node))
    case .string, .bigNumber:
      unsafe document.withText(node) { bytes in unsafe writer.text(utf8: bytes) }
    case .array:
      var left = limit?.list == node ? limit?.count ?? .max : .max
      writer.beginArray()
      document.forEachElement(of: node) { child in
        left -= 1
        if left >= 0 { write(document, child, &writer, isSorted: isSorted, limit: limit) }
      }
      writer.endArray()
    case .object: writeObject(document, node, &writer, isSorted, limit)
    }
  }

  private static func writeObject(
    _ document: JSONDocument, _ node: JSONDocument.Node, _ writer: inout JSONWriter,
    _ isSorted: Bool, _ limit: (list: JSONDocument.Node, count: Int)?
  ) {
    var members: [(name: String, value: JSONDocument.Node)] = []
    document.forEachMember(of: node) { members.append(($0, $1)) }
    if isSorted { members.sort { $0.name < $1.name } }
    writer.beginObject()
    for member in members {
      writer.name(member.name)
      write(document, member.value, &writer, isSorted: isSorted, limit: limit)
    }
    writer.endObject()
  }
}
