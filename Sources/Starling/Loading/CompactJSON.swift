import StarlingFeeds
import StarlingModel

/// JSON values as text without blanks.
enum CompactJSON {
  /// Parses one strict JSON value and gives it without blanks, in pieces.
  static func write(_ bytes: [UInt8], to output: ([UInt8]) -> Void) throws(FeedError) {
    try withoutActuallyEscaping(output) { output throws(FeedError) in
      try JSONDocument.withParsed(bytes) { document in
        var writer = JSONWriter()
        write(document, document.root, &writer, output: output)
        output(writer.take())
      }
    }
  }

  private static let pieceBytes = 64 << 10

  /// One value with the members of its objects by name, so that equal values are equal texts.
  static func sorted(_ document: JSONDocument, _ node: JSONDocument.Node) -> String {
    var writer = JSONWriter()
    write(document, node, &writer, isSorted: true)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A document with at most so many elements of one of its lists, or members of an object.
  static func text(
    of document: JSONDocument, limiting list: JSONDocument.Node, to count: Int
  ) -> [UInt8] {
    var writer = JSONWriter()
    write(document, document.root, &writer, limit: (list, count))
    return writer.bytes
  }

  private static func write(
    _ document: JSONDocument, _ node: JSONDocument.Node, _ writer: inout JSONWriter,
    isSorted: Bool = false, limit: (list: JSONDocument.Node, count: Int)? = nil,
    output: (([UInt8]) -> Void)? = nil
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
        guard left >= 0 else { return }
        write(document, child, &writer, isSorted: isSorted, limit: limit, output: output)
        // Nothing is taken out of the middle of what is wanted whole.
        if let output, writer.bytes.count > pieceBytes { output(writer.take()) }
      }
      writer.endArray()
    case .object: writeObject(document, node, &writer, isSorted, limit, output)
    }
  }

  private static func writeObject(
    _ document: JSONDocument, _ node: JSONDocument.Node, _ writer: inout JSONWriter,
    _ isSorted: Bool, _ limit: (list: JSONDocument.Node, count: Int)?,
    _ output: (([UInt8]) -> Void)?
  ) {
    var members: [(name: String, value: JSONDocument.Node)] = []
    document.forEachMember(of: node) { members.append(($0, $1)) }
    if isSorted { members.sort { $0.name < $1.name } }
    if let limit, limit.list == node { members.removeLast(max(0, members.count - limit.count)) }
    writer.beginObject()
    for member in members {
      writer.name(member.name)
      write(document, member.value, &writer, isSorted: isSorted, limit: limit, output: output)
    }
    writer.endObject()
  }
}
