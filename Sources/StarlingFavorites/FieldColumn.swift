import StarlingModel

/// Where a field lives in its kind's table.
struct FieldColumn {
  let field: Field
  /// The column's name: the field's, unless that is taken by a column of the store.
  let name: String
  /// Whether the field has an index.
  var isIndexed: Bool
  /// For an indexed text, the column with its folded form where that is more than ASCII case.
  var foldedName: String?

  /// The columns that hold the value, in the order in which they are read and bound.
  var columns: [(name: String, type: String)] {
    switch field.type {
    case .text, .url, .list: [(name, "TEXT")]
    case .integer, .boolean, .time: [(name, "INTEGER")]
    case .real: [(name, "REAL")]
    case .money:
      [
        (name, "TEXT"), (name + "_low", "REAL"), (name + "_high", "REAL"),
        (name + "_currency", "TEXT"),
      ]
    }
  }

  /// The column that comparisons and the order use: a money's low end.
  var comparedName: String { field.type == .money ? name + "_low" : name }

  var isText: Bool { field.type == .text || field.type == .url }

  /// What a reader of the schema should know of the column; nil when the name says it.
  var comment: String? {
    switch field.type {
    case .time: "UTC, seconds since 1970"
    case .boolean: "0 or 1"
    case .list: "JSON: a list of texts"
    case .money: "as published; the amount is in \(name)_low to \(name)_high"
    case .url: "URL"
    case .text, .integer, .real: nil
    }
  }

  /// Columns that every kind's table has.
  static let fixedNames: Set<String> = ["rowid", "key", "source", "first_seen", "last_seen"]

  /// Names the columns of a field so that none meets one in `taken`, and adds them to it.
  static func allocate(_ field: Field, taken: inout Set<String>) -> FieldColumn {
    var column = FieldColumn(field: field, name: field.name, isIndexed: false)
    while column.columns.contains(where: { taken.contains($0.name) }) {
      column = FieldColumn(field: field, name: column.name + "_", isIndexed: false)
    }
    for part in column.columns { taken.insert(part.name) }
    return column
  }
}
