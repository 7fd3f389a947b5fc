import StarlingFavorites
import StarlingLua
import StarlingModel

/// Reads what `fetch`, `each` and `count` are asked for.
struct QueryReader {
  var query: Query
  /// Whether rows shall have their causes.
  var withCauses: Bool

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
      try read(call[position], function: function)
    } catch {
      throw call.argumentError(position, error.description)
    }
  }

  /// Reads options that say no kind: whoever asks the query does.
  ///
  /// - Parameter owner: whose options they are, as an error names it.
  init(_ table: LuaView, of owner: String) throws(LuaError) {
    query = Query(kind: "")
    withCauses = false
    try read(table, function: owner)
  }

  private mutating func read(_ table: LuaView, function: String) throws(LuaError) {
    do throws(LuaError) {
      try table.forEachField { key, value throws(LuaError) in try read(key, value) }
    } catch {
      // Where there are several faults, a name that there is not is said first.
      _ = try OptionReader(table, Option.allCases.map(\.rawValue), of: function)
      throw error
    }
  }

  private enum Option: String, CaseIterable {
    case `where`, order, limit, after, tag, text, causes

    /// The names' bytes, so that no String is made of a key to find it.
    static let names = allCases.map { (name: Array($0.rawValue.utf8), option: $0) }

    init?(_ key: UnsafeRawBufferPointer) {
      for (name, option) in Option.names where name.count == key.count {
        let isSame = unsafe name.withUnsafeBytes { name in unsafe name.elementsEqual(key) }
        if isSame {
          self = option
          return
        }
      }
      return nil
    }
  }

  /// Takes one option over.
  private mutating func read(_ key: LuaView, _ value: LuaView) throws(LuaError) {
    guard let name = unsafe key.bytes, let option = unsafe Option(name) else {
      throw .message("there is no such option")
    }
    do throws(LuaError) {
      switch option {
      case .where: query.condition = try ConditionReader.read(value)
      case .order:
        query.order = Query.Order(parsing: try value.string(atMost: OptionReader.longestName))
      case .limit: query.limit = try OptionReader.count(value)
      case .after:
        guard let cursor = Cursor(try value.string(atMost: OptionReader.longestText)) else {
          throw .conversion(expected: "a cursor that fetch gave", found: "another text", path: "")
        }
        query.after = cursor
      case .tag: query.tag = try value.string(atMost: OptionReader.longestName)
      case .text: query.text = try value.string()
      case .causes: withCauses = try OptionReader.flag(value)
      }
    } catch {
      throw error.inside(option.rawValue)
    }
  }
}
