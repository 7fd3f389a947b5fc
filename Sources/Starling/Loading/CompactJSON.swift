import StarlingFeeds
import StarlingModel

/// JSON values as text without blanks.
enum CompactJSON {
  /// Parses one strict JSON value and writes it without blanks.
  static func text(of bytes: [UInt8]) throws(FeedError) -> [UInt8] {
    var result: Result<JSONDocument, FeedError>?
    unsafe bytes.withUnsafeBytes { all in
      do throws(FeedError) {
        result = .success(try unsafe JSONDocument(parsing: all))
      } catch {
        result = .failure(error)
      }
    }
    guard let document = try result?.get() else { return [] }
    var writer = JSONWriter()
    write(document, document.root, &writer)
    return writer.bytes
  }

  private static func write(
    _ document: JSONDocument, _ node: JSONDocument.Node, _ writer: inout JSONWriter
  ) {
    switch document.kind(node) {
    case .null: writer.null()
    case .boolean: writer.boolean(document.boolean(node))
    case .integer: writer.integer(document.integer(node))
    case .real: writer.real(document.real(node))
    case .string, .bigNumber:
      unsafe document.withText(node) { bytes in unsafe writer.text(utf8: bytes) }
    case .array:
      writer.beginArray()
      var next = document.firstChild(node)
      while let child = next {
        write(document, child, &writer)
        next = document.nextSibling(child, in: node)
      }
      writer.endArray()
    case .object: writeObject(document, node, &writer)
    }
  }

  private static func writeObject(
    _ document: JSONDocument, _ node: JSONDocument.Node, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    var next = document.firstChild(node)
    while let key = next {
      guard let child = document.nextSibling(key, in: node) else { break }
      writer.name(document.string(key))
      write(document, child, &writer)
      next = document.nextSibling(child, in: node)
    }
    writer.endObject()
  }
}
