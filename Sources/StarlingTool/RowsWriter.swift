import StarlingFavorites
import StarlingModel

/// Writes the rows of one kind as they come: a table, JSON lines, or lines of a format.
class RowsWriter {
  let kind: Kind
  let io: ToolIO
  private(set) var isEmpty = true

  fileprivate init(_ kind: Kind, _ io: ToolIO) {
    self.kind = kind
    self.io = io
  }

  /// The writer that the command line asks for.
  static func make(
    _ context: CommandContext, _ kind: Kind, _ format: LineFormat?, search: WordSearch? = nil
  ) -> RowsWriter {
    if context.isJSON { return JSONRows(kind, context.io, search) }
    if let format { return FormattedRows(kind, context.io, format) }
    return TableRows(kind, context.io, search, isFavorites: !context.arguments.has("--all"))
  }

  /// Called before the first row.
  func begin(title: Bool, isFirst: Bool) {}

  func write(_ row: EntityRow) throws(FavoritesError) {
    isEmpty = false
  }

  /// Called after the last row.
  func finish() {}
}

/// One JSON object a line.
private final class JSONRows: RowsWriter {
  private let json: RowJSONWriter
  private let search: WordSearch?
  private var record = EntityRecord()

  init(_ kind: Kind, _ io: ToolIO, _ search: WordSearch?) {
    json = RowJSONWriter(kind)
    self.search = search
    super.init(kind, io)
  }

  override func write(_ row: EntityRow) throws(FavoritesError) {
    try super.write(row)
    try json.write(row) { json in
      guard let search else { return }
      row.fill(&record)
      json.matches(of: search, in: record, kind)
    }
    io.out.write(json.bytes)
    json.removeAll()
  }
}

/// One line of the user's format each.
private final class FormattedRows: RowsWriter {
  private let format: LineFormat

  init(_ kind: Kind, _ io: ToolIO, _ format: LineFormat) {
    self.format = format
    super.init(kind, io)
  }

  override func write(_ row: EntityRow) throws(FavoritesError) {
    try super.write(row)
    let favorite = try row.favorite()
    io.out.writeLine(format.line(favorite?.entity ?? row.entity(), favorite: favorite))
  }
}

/// A table with the fields that a person wants to see beside one another.
private final class TableRows: RowsWriter {
  private var table: Table
  private let fields: [Int]
  private let isFavorites: Bool
  private var record = EntityRecord()

  init(_ kind: Kind, _ io: ToolIO, _ search: WordSearch?, isFavorites: Bool) {
    self.isFavorites = isFavorites
    fields = kind.shownFields
    var columns = fields.map { index in
      let field = kind.fields[index]
      let isSearched = field.type == .text || field.type == .list
      var column = Table.Column(
        field.name, field.type.isWhole ? .whole : .text, isRight: field.type.isNumber,
        search: isSearched ? search : nil)
      column.isWeighty = field.type == .money
      return column
    }
    columns.append(Table.Column("key", .key))
    if isFavorites { columns.append(Table.Column("tags")) }
    table = Table(columns, io: io, wayToAll: "--json shows all, --format '{key}' the keys")
    super.init(kind, io)
  }

  override func begin(title: Bool, isFirst: Bool) {
    guard title else { return }
    if !isFirst { io.out.writeLine() }
    io.out.writeLine(io.styled(kind.name, .cyan))
  }

  override func write(_ row: EntityRow) throws(FavoritesError) {
    try super.write(row)
    row.fill(&record)
    var cells = fields.map { cell($0) }
    cells.append(record.string(record.key))
    if isFavorites { cells.append(try row.tagTexts().joined(separator: ", ")) }
    table.add(cells)
  }

  private func cell(_ index: Int) -> String {
    guard let value = record.value(index) else { return "" }
    guard case .time(let time) = value else { return value.description }
    return String(time.description.prefix(16).map { $0 == "T" ? " " : $0 })
  }

  override func finish() {
    table.finish()
  }
}

extension EntityRow {
  /// The tags, sorted.
  func tagTexts() throws(FavoritesError) -> [String] {
    var tags: [String] = []
    try unsafe forEachTag { bytes in
      tags.append(unsafe String(decoding: bytes, as: UTF8.self))
      return true
    }
    return tags
  }
}

extension FieldType {
  var isNumber: Bool { self == .integer || self == .real }

  /// Whether a part of a value says something else than the value.
  var isWhole: Bool { isNumber || self == .time || self == .money }
}

extension Kind {
  /// The fields that a table shows: the title first; no links and long texts, and nothing that the
  /// key says already.
  var shownFields: [Int] {
    let long: Set = ["summary", "description", "content", "image", "photo"]
    var parts: [String] = []
    if case .fields(let names) = key { parts = names }
    let shown = fields.indices.filter { index in
      let field = fields[index]
      return field.type != .url && !long.contains(field.name) && !parts.contains(field.name)
    }
    let titles = shown.filter { ["title", "name"].contains(fields[$0].name) }
    return titles + shown.filter { !titles.contains($0) }
  }
}
