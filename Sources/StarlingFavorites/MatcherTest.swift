import StarlingModel
import StarlingSQLite

/// Asks a matcher of a row's columns while SQLite looks for rows, with storage that is used again.
final class MatcherTest: RowTest {
  /// The columns that it is asked with, in SQL.
  let columns: String
  let isCostly: Bool
  private let matcher: Matcher
  private let fields: [(field: Int, column: Int32, type: FieldType)]
  /// Its accesses are not checked against each other: one statement asks one question at a time.
  @exclusivity(unchecked) private var state = State()

  private struct State: ~Copyable {
    var record = EntityRecord()
    var cache = FoldCache()
  }

  init(_ matcher: Matcher, _ handle: KindHandle) {
    self.matcher = matcher
    isCostly = matcher.hasPatterns
    var names: [String] = []
    var fields: [(field: Int, column: Int32, type: FieldType)] = []
    for field in matcher.fields {
      let column = handle.table.columns[field]
      fields.append((field, Int32(names.count), column.field.type))
      names += column.columns.map { "e.\"\($0.name)\"" }
    }
    unsafe state.record.reset(fieldCount: handle.layout.count)
    columns = names.joined(separator: ", ")
    self.fields = fields
  }

  func holds(_ values: SQLValues) -> Bool { unsafe holds(values, &state) }

  private func holds(_ values: SQLValues, _ state: inout State) -> Bool {
    state.record.resetTexts()
    for (field, column, type) in fields {
      unsafe state.record.take(field, RowValue(values, column, type))
    }
    state.cache.begin()
    return matcher.matches(state.record, &state.cache)
  }
}
