import StarlingFeeds
import StarlingModel

/// A first mapping for a JSON document with rows: a list of lists of plain values, as tables are
/// exported.
struct RowsDraft {
  let document: JSONDocument
  let path: [String]
  let list: JSONDocument.Node
  /// What the columns are called: by a list of texts of the same length beside the rows, else by their
  /// numbers.
  private let names: [String]

  /// The longest list of lists that have equally many plain values; nil when there is none.
  init?(_ document: JSONDocument) {
    self.document = document
    var best: (path: [String], node: JSONDocument.Node, names: [String], count: Int)?
    var level: [(path: [String], node: JSONDocument.Node, parent: JSONDocument.Node?)] = [
      ([], document.root, nil)
    ]
    for _ in 0..<6 {
      var next: [(path: [String], node: JSONDocument.Node, parent: JSONDocument.Node?)] = []
      for (path, node, parent) in level {
        if let columns = RowsDraft.columns(of: node, document),
          document.count(node) > best?.count ?? 0
        {
          let heads = parent.flatMap { RowsDraft.heads(in: $0, count: columns, document) }
          let names = heads ?? (1...columns).map { "column_\($0)" }
          best = (path, node, names, document.count(node))
        }
        document.forEachMember(of: node) { name, value in
          next.append((path + [name], value, node))
        }
      }
      level = next
    }
    guard let best else { return nil }
    (path, list, names) = (best.path, best.node, best.names)
  }

  /// How many values each row has; nil for what has no rows.
  private static func columns(of node: JSONDocument.Node, _ document: JSONDocument) -> Int? {
    guard document.kind(node) == .array else { return nil }
    var columns: Int?
    var isEven = true
    document.forEachElement(of: node) { row in
      let count = document.kind(row) == .array ? document.count(row) : 0
      columns = columns ?? count
      if count == 0 || count != columns { isEven = false }
      document.forEachElement(of: row) { value in
        if [.array, .object].contains(document.kind(value)) { isEven = false }
      }
    }
    return isEven ? columns : nil
  }

  private static func heads(
    in parent: JSONDocument.Node, count: Int, _ document: JSONDocument
  ) -> [String]? {
    var heads: [String]?
    document.forEachMember(of: parent) { _, value in
      guard heads == nil, document.kind(value) == .array, document.count(value) == count else {
        return
      }
      var names: [String] = []
      document.forEachElement(of: value) { name in
        if document.kind(name) == .string { names.append(document.string(name)) }
      }
      if names.count == count { heads = names }
    }
    return heads
  }

  /// The document with at most so many rows, for a fixture.
  func cut(to count: Int) -> [UInt8] {
    CompactJSON.text(of: document, limiting: list, to: count)
  }

  func sketch(kind: String, summary: String, site: String) -> PluginSketch {
    var guesses = names.map { ValueGuess(name: $0) }
    var looked = 0
    document.forEachElement(of: list) { row in
      guard looked < JSONDraft.sampleCount else { return }
      looked += 1
      var column = 0
      document.forEachElement(of: row) { value in
        if column < guesses.count { guesses[column].note(value, of: document) }
        column += 1
      }
    }
    let place = path.reduce("feed.body", PluginSketch.member)
    var sketch = PluginSketch(
      summary: summary, kind: kind, key: [], fields: [], indexes: [],
      accepts: conditions(place, site), items: path.isEmpty ? nil : place)
    for (column, guess) in guesses.enumerated() {
      let raw = "item[\(column + 1)]"
      guard let (type, expression) = guess.field(raw) else {
        sketch.unmapped.append(raw)
        continue
      }
      var name = PluginSketch.identifier(guess.name, else: "column")
      while sketch.fields.contains(where: { $0.name == name }) { name += "_2" }
      sketch.fields.append(.init(name: name, type: type, expression: expression))
      let isKey = guess.isUnique && guess.count == looked && [.text, .url].contains(type)
      if isKey, sketch.key.isEmpty || guess.isIdentity { sketch.key = [name] }
    }
    return sketch
  }

  private func conditions(_ place: String, _ site: String) -> [String] {
    var lines = ["feed.format == \"json\""]
    if !site.isEmpty { lines.append("feed.site == \(PluginSketch.quoted(site))") }
    var base = "feed.body"
    for name in path {
      lines.append("type(\(base)) == \"table\"")
      base = PluginSketch.member(base, name)
    }
    return lines + [
      "type(\(place)) == \"table\"", "type(\(place)[1]) == \"table\"",
      "#\(place)[1] == \(names.count)",
    ]
  }
}
