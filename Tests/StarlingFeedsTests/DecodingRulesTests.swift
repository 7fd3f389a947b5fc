import StarlingModel
import Testing

@testable import StarlingFeeds

/// Runs the tables of the page that states the decoding rules.
@Suite struct DecodingRulesTests {
  struct Row: CustomTestStringConvertible {
    var table: String
    var input: String
    var expected: String

    var testDescription: String { "\(table) \(input)" }
  }

  static let rows: [Row] = {
    let page = Fixtures.read("../../../Sources/StarlingFeeds/StarlingFeeds.docc/DecodingRules.md")
    var rows: [Row] = []
    var table = ""
    for line in String(decoding: page, as: UTF8.self).split(separator: "\n") {
      guard line.hasPrefix("| ") else { continue }
      let cells = line.dropFirst(2).dropLast(2).split(separator: " | ", maxSplits: 1)
      guard cells.count == 2 else { continue }
      if !cells[0].hasPrefix("`") {
        table = String(cells[0])
      } else {
        rows.append(Row(table: table, input: code(cells[0]), expected: code(cells[1])))
      }
    }
    return rows
  }()

  private static func code(_ cell: Substring) -> String {
    cell.hasPrefix("`") ? String(cell.dropFirst().dropLast()) : String(cell)
  }

  /// The bytes of a cell: `\n` and `\xHH` are what they say, all else is UTF-8.
  private func bytes(_ cell: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(cell.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x5C, rest.first == UInt8(ascii: "n") {
        rest.removeFirst()
        bytes.append(0x0A)
      } else if byte == 0x5C, rest.first == UInt8(ascii: "x"),
        let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      {
        rest.removeFirst(3)
        bytes.append(value)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  @Test("the page has rules of every kind")
  func findsTables() {
    let tables = Set(DecodingRulesTests.rows.map(\.table))
    #expect(tables == ["document", "time", "RSS item", "Atom entry", "HTML", "JSON"])
    #expect(DecodingRulesTests.rows.count > 90)
  }

  @Test("each rule of the page holds", arguments: rows)
  func holds(row: Row) throws {
    switch row.table {
    case "document": try expectEntry(bytes(row.input), row.expected)
    case "RSS item":
      try expectEntry(
        Array("<rss version=\"2.0\"><channel><item>\(row.input)</item></channel></rss>".utf8),
        row.expected)
    case "Atom entry":
      try expectEntry(
        Array(
          "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>\(row.input)</entry></feed>".utf8),
        row.expected)
    case "time":
      #expect(Timestamp(parsing: row.input)?.description ?? "absent" == row.expected)
    case "HTML": #expect(HTMLText.plain(row.input) == row.expected)
    default: #expect(compact(bytes(row.input)) == row.expected)
    }
  }

  /// Compares the fields of the first entry that `decode` prints.
  private func expectEntry(_ document: [UInt8], _ expected: String) throws {
    let decoder = FeedDecoder(FeedOptions(url: "https://example.org/news/feed.xml"))
    try decoder.append(document)
    try decoder.finish()
    var writer = JSONWriter()
    FeedJSON.write(decoder, to: &writer)
    let printed = try parse(writer.bytes)
    let list = try #require(printed.member(printed.root, "entries"))
    let entry = try #require(printed.element(list, 0))
    let wanted = try parse(Array(expected.utf8))
    var key = wanted.firstChild(wanted.root)
    while let name = key {
      let value = try #require(wanted.nextSibling(name, in: wanted.root))
      let field = wanted.string(name)
      if field == "damage" {
        let damage = decoder.damage.map(\.description)
        if wanted.kind(value) == .null {
          #expect(damage.isEmpty)
        } else {
          #expect(damage.contains { $0.contains(wanted.string(value)) }, "\(damage)")
        }
      } else {
        let found = printed.member(entry, field).map { text(printed, $0) } ?? "null"
        #expect(found == text(wanted, value), "\(field)")
      }
      key = wanted.nextSibling(value, in: wanted.root)
    }
  }

  private func parse(_ bytes: [UInt8]) throws -> JSONDocument {
    try bytes.withUnsafeBytes { try JSONDocument(parsing: $0) }
  }

  private func text(_ document: JSONDocument, _ node: JSONDocument.Node) -> String {
    switch document.kind(node) {
    case .null: return "null"
    case .array:
      let elements = (0..<document.count(node)).compactMap { document.element(node, $0) }
      return "[" + elements.map { text(document, $0) }.joined(separator: ",") + "]"
    default: return document.string(node)
    }
  }

  /// A JSON value as `decode --json-value` prints it, or that it is refused.
  private func compact(_ bytes: [UInt8]) -> String {
    guard let document = try? parse(bytes) else { return "refused" }
    var writer = JSONWriter()
    write(document, document.root, &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(
    _ document: JSONDocument, _ node: JSONDocument.Node, _ writer: inout JSONWriter
  ) {
    switch document.kind(node) {
    case .null: writer.null()
    case .boolean: writer.boolean(document.boolean(node))
    case .integer: writer.integer(document.integer(node))
    case .real: writer.real(document.real(node))
    case .string, .bigNumber: writer.text(document.string(node))
    case .array:
      writer.beginArray()
      for index in 0..<document.count(node) {
        if let element = document.element(node, index) { write(document, element, &writer) }
      }
      writer.endArray()
    case .object:
      writer.beginObject()
      var key = document.firstChild(node)
      while let name = key, let value = document.nextSibling(name, in: node) {
        writer.name(document.string(name))
        write(document, value, &writer)
        key = document.nextSibling(value, in: node)
      }
      writer.endObject()
    }
  }
}
