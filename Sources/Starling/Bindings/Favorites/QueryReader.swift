import StarlingFavorites
import StarlingLua
import StarlingModel

/// Reads what `fetch`, `each` and `count` are asked for.
struct QueryReader {
  var query: Query
  /// Whether rows shall have their causes.
  var withCauses: Bool

  static let options = ["where", "order", "limit", "after", "tag", "text", "causes"]

  /// Reads the options at an argument's place, which may be missing.
  ///
  /// - Throws: the error for a bad argument: an option that there is not, a value of another type.
  init(
    _ call: borrowing LuaCall, _ position: Int, kind: BoundKind, scope: Query.Scope,
    function: String
  ) throws(LuaError) {
    query = Query(kind: kind.handle.kind.name, scope: scope)
    withCauses = false
    if call[position].isNil { return }
    do throws(LuaError) {
      try read(OptionReader(call[position], QueryReader.options, of: function))
    } catch {
      throw call.argumentError(position, error.description)
    }
  }

  private mutating func read(_ options: OptionReader) throws(LuaError) {
    let condition = try options.read("where") { table throws(LuaError) in
      try ConditionReader.read(table)
    }
    if let condition { query.condition = condition }
    query.order = try options.text("order").map { Query.Order(parsing: $0) }
    query.limit = try options.count("limit")
    query.after = try options.read("after") { value throws(LuaError) in
      guard let cursor = Cursor(try value.string()) else {
        throw .conversion(
          expected: "a cursor that fetch gave", found: "another text", path: "")
      }
      return cursor
    }
    query.tag = try options.text("tag")
    query.text = try options.text("text")
    withCauses = try options.flag("causes") ?? false
  }
}
