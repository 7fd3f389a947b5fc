import StarlingModel

/// The SQL of one kind's table.
struct KindTable {
  let kind: Kind
  var columns: [FieldColumn]

  /// Column names quoted, in the order of the slots.
  var columnList: [String] { columns.flatMap { $0.columns.map { "\"\($0.name)\"" } } }

  var foldedList: [String] { columns.compactMap { $0.foldedName.map { "\"\($0)\"" } } }

  var table: String { "\"\(kind.name)\"" }

  /// The field whose values a look-up by URL goes through: a url named `url` that is not the key.
  static func urlField(of kind: Kind) -> String? {
    guard kind.key != .fields(["url"]) else { return nil }
    return kind.fields.contains(Field("url", .url)) ? "url" : nil
  }

  var createTable: String {
    var lines = [
      "  -- Entities of kind \(kind.name), starred or not. Key: \(keyText).",
      "  rowid INTEGER PRIMARY KEY,   -- unique over all kinds; favorites.entity is this number",
      "  key TEXT NOT NULL UNIQUE,    -- compares as bytes",
      "  source INTEGER REFERENCES sources (id), -- the source that had it first",
      "  first_seen INTEGER NOT NULL, -- UTC, seconds since 1970",
      "  last_seen INTEGER NOT NULL,  -- to within a day",
    ]
    let parts = columns.flatMap { column in
      column.columns.enumerated().map { place, part in
        (part.name, part.type, place == 0 ? column.comment : nil)
      }
    }
    for (place, (name, type, comment)) in parts.enumerated() {
      let end = place == parts.count - 1 ? "" : ","
      lines.append("  \"\(name)\" \(type)\(end)" + (comment.map { " -- \($0)" } ?? ""))
    }
    if parts.isEmpty { lines[5] = "  last_seen INTEGER NOT NULL   -- to within a day" }
    return "CREATE TABLE \(table) (\n" + lines.joined(separator: "\n") + "\n) STRICT"
  }

  private var keyText: String {
    switch kind.key {
    case .auto: "made by the store"
    case .fields(let names): names.joined(separator: ", ")
    }
  }

  func createIndexes(of column: FieldColumn) -> [String] {
    let compared = "\"\(column.comparedName)\"" + (column.isText ? " COLLATE NOCASE" : "")
    var statements = [
      "CREATE INDEX \"\(kind.name).\(column.name)\" ON \(table) (\(compared))"
    ]
    if let folded = column.foldedName {
      statements.append(
        """
        CREATE INDEX "\(kind.name).\(folded)" ON \(table) ("\(folded)")
        WHERE "\(folded)" IS NOT NULL
        """)
    }
    return statements
  }

  /// The favorites of the kind with times and prices as people read them.
  var createView: String {
    let fields = columns.map { column in
      switch column.field.type {
      case .time:
        "strftime('%Y-%m-%dT%H:%M:%SZ', e.\"\(column.name)\", 'unixepoch') AS \"\(column.name)\""
      case .boolean:
        "CASE e.\"\(column.name)\" WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS \"\(column.name)\""
      default: "e.\"\(column.name)\""
      }
    }
    let all =
      ["e.key"] + fields + [
        "strftime('%Y-%m-%dT%H:%M:%SZ', f.starred_at, 'unixepoch') AS starred_at",
        "(SELECT group_concat(tag, ', ') FROM tags WHERE favorite = f.entity) AS tags",
        "f.note",
      ]
    return """
      CREATE VIEW "favorite_\(kind.name)" AS
        -- The favorites of kind \(kind.name) as people read them.
        SELECT \(all.joined(separator: ",\n      "))
        FROM favorites f JOIN \(table) e ON e.rowid = f.entity
      """
  }
}

/// The statements that each kind has, compiled once at their first use.
enum KindStatement: Int, CaseIterable {
  case find, rowid, keyOf, rowOf, rowByID, recall, contains, containsPage, containsURL
  case insert, touch, delete, rekey, members, keys, prune, httpKey, httpsKey

  func sql(_ table: KindTable) -> String {
    let name = table.table
    let columns = table.columnList
    let listed = columns.isEmpty ? "" : ", " + columns.joined(separator: ", ")
    switch self {
    case .find:
      return "SELECT rowid, last_seen\(listed) FROM \(name) WHERE key = ?1"
    case .rowid:
      return "SELECT rowid FROM \(name) WHERE key = ?1"
    case .keyOf:
      return "SELECT key FROM \(name) WHERE rowid = ?1"
    case .rowOf:
      return """
        SELECT e.rowid, e.key, e.source, e.first_seen, e.last_seen, f.starred_at, \
        f.note, \(RowColumn.hasTagsSQL)\(columns.map { ", e." + $0 }.joined())
        FROM \(name) e LEFT JOIN favorites f ON f.entity = e.rowid WHERE e.key = ?1
        """
    case .rowByID:
      let all = columns.isEmpty ? "rowid" : columns.joined(separator: ", ")
      return "SELECT \(all) FROM \(name) WHERE rowid = ?1"
    case .recall:
      return "SELECT key, last_seen\(listed) FROM \(name) WHERE rowid = ?1"
    case .contains:
      return """
        SELECT 1 FROM favorites WHERE entity = (SELECT rowid FROM \(name) WHERE key = ?1)
        """
    case .containsPage:
      // One statement that runs through many keys: to begin and to end one costs a third of a look.
      let keys = (0..<KeyPage.size).map { "(\($0), ?\($0 + 1))" }
      return """
        WITH page (place, key) AS (VALUES \(keys.joined(separator: ", ")))
        SELECT p.place FROM page p CROSS JOIN \(name) e ON e.key = p.key
        CROSS JOIN favorites f ON f.entity = e.rowid
        """
    case .containsURL:
      let field = KindTable.urlField(of: table.kind) ?? "key"
      let collation = field == "key" ? "" : " COLLATE NOCASE"
      return """
        SELECT 1 FROM \(name) e CROSS JOIN favorites f ON f.entity = e.rowid
        WHERE e."\(field)" = ?1\(collation) AND e."\(field)" = ?1 LIMIT 1
        """
    case .insert:
      let all = columns + table.foldedList
      let marks = (0..<all.count).map { "?\($0 + 6)" }
      return """
        INSERT INTO \(name) (\((["rowid", "key", "source", "first_seen", "last_seen"] + all)
          .joined(separator: ", "))) VALUES (\((["?1", "?2", "?3", "?4", "?5"] + marks)
            .joined(separator: ", ")))
        """
    case .touch:
      return "UPDATE \(name) SET last_seen = ?2 WHERE rowid = ?1"
    case .delete:
      return "DELETE FROM \(name) WHERE rowid = ?1"
    case .rekey:
      return "UPDATE \(name) SET key = ?2 WHERE rowid = ?1"
    case .members:
      return """
        SELECT row_sink(?1, e.key) FROM favorites f CROSS JOIN \(name) e ON e.rowid = f.entity
        WHERE f.kind = ?2
        """
    case .keys:
      // The index on keys has both, so that nothing else is read.
      return "SELECT row_sink(?1, key, rowid) FROM \(name)"
    case .prune:
      return """
        SELECT rowid, last_seen FROM \(name) WHERE rowid > ?1 ORDER BY rowid LIMIT 1000
        """
    case .httpKey:
      // The character behind a slash is a zero.
      return "SELECT 1 FROM \(name) WHERE key >= 'http://' AND key < 'http:/0' LIMIT 1"
    case .httpsKey:
      return "SELECT 1 FROM \(name) WHERE key >= 'https://' AND key < 'https:/0' LIMIT 1"
    }
  }
}
