public import StarlingFavorites
import StarlingLua

/// A value as an app's functions take it from Lua and give it back, copied.
public indirect enum ScriptValue: Hashable, Sendable {
  /// Nil, `json.null`, or an argument that was left out.
  case none
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  /// A sequence from 1 on.
  case list([ScriptValue])
  /// Named fields; an empty table is one of these.
  case table([String: ScriptValue])
  /// What a parameter of the shape `starling.Query` takes, with the words of the rules in its `where`.
  /// It says no kind: the function does, and the store checks the fields then.
  case query(Query)

  /// A field of a table; `none` where there is none.
  public subscript(field: String) -> ScriptValue {
    if case .table(let fields) = self { fields[field] ?? .none } else { .none }
  }

  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  public var query: Query? { if case .query(let query) = self { query } else { nil } }

  /// An integer is a number too.
  public var number: Double? {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The elements of a list; an empty table has none.
  public var elements: [ScriptValue]? {
    switch self {
    case .list(let elements): elements
    case .table(let fields) where fields.isEmpty: []
    default: nil
    }
  }
}

extension ScriptValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(nilLiteral: ()) { self = .none }
  public init(dictionaryLiteral elements: (String, ScriptValue)...) {
    self = .table(Dictionary(elements) { _, last in last })
  }
}

extension ScriptValue {
  /// An argument as its parameter's type has it: a number given for a text is its digits, a numeral
  /// given for a number is the number.
  init(_ view: LuaView, as type: ApiType) throws(LuaError) {
    switch type {
    case .string where view.type == .integer: self = .text(String(view.integer ?? 0))
    case .string where view.type == .number: self = .text(String(view.number ?? 0))
    case .integer where view.type == .string || view.type == .number:
      self = view.integer.map { .integer($0) } ?? .none
    case .number where view.type == .string: self = view.number.map { .number($0) } ?? .none
    case .list(let element) where view.type == .table:
      if let key = try view.keyOutsideList({ $0.text(atMost: 40) ?? $0.type.name }) {
        throw .conversion(expected: "a list", found: "a table with the key `\(key)`", path: "")
      }
      var list: [ScriptValue] = []
      try view.forEachElement { position, value throws(LuaError) in
        let found = try ScriptValue(value, as: element)
        guard found.isOf(element) else {
          throw .conversion(
            expected: element.expectation, found: value.type.name, path: "[\(position)]")
        }
        list.append(found)
      }
      self = .list(list)
    case _ where view.type == .table && type.takesQuery:
      self = .query(try QueryReader(view, of: "the query").query)
    default: try self.init(view.copy())
    }
  }

  private func isOf(_ type: ApiType) -> Bool {
    switch type {
    case .string: text != nil
    case .boolean: if case .boolean = self { true } else { false }
    case .integer: if case .integer = self { true } else { false }
    case .number:
      switch self {
      case .integer, .number: true
      default: false
      }
    case .list, .table, .shape:
      switch self {
      case .list, .table, .query: true
      default: false
      }
    case .union(let types): types.contains { isOf($0) }
    default: true
    }
  }

  private init(_ value: LuaValue) throws(LuaError) {
    switch value {
    case .nil, .null: self = .none
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .opaque(let type): throw .conversion(expected: "a plain value", found: type, path: "")
    case .array(let elements):
      var list: [ScriptValue] = []
      list.reserveCapacity(elements.count)
      for (place, element) in elements.enumerated() {
        do throws(LuaError) {
          list.append(try ScriptValue(element))
        } catch {
          throw error.inside("[\(place + 1)]")
        }
      }
      self = .list(list)
    case .table(let fields):
      var table: [String: ScriptValue] = [:]
      for (key, field) in fields {
        guard let name = key.string else {
          throw .conversion(expected: "names or 1, 2, ...", found: "another key", path: "")
        }
        do throws(LuaError) {
          table[name] = try ScriptValue(field)
        } catch {
          throw error.inside(name)
        }
      }
      self = .table(table)
    }
  }

  /// How deep tables may be nested on their way to Lua.
  private static let mostLevels = 100

  /// - Throws: for tables nested deeper than that.
  func push(
    to writer: inout LuaWriter, levels: Int = ScriptValue.mostLevels
  ) throws(LuaError) {
    switch self {
    case .none: writer.pushNil()
    case .boolean(let flag): writer.push(flag)
    case .integer(let number): writer.push(number)
    case .number(let number): writer.push(number)
    case .text(let text): writer.push(text)
    case .list, .table:
      guard levels > 0 else {
        throw .conversion(expected: "a flatter table", found: "tables nested too deeply", path: "")
      }
      try pushTable(to: &writer, levels: levels - 1)
    case .query:
      throw .conversion(expected: "a plain value", found: "a query", path: "")
    }
  }

  private func pushTable(to writer: inout LuaWriter, levels: Int) throws(LuaError) {
    switch self {
    case .list(let elements):
      try writer.array(count: elements.count) { list throws(LuaError) in
        for element in elements {
          try list.append { writer throws(LuaError) in
            try element.push(to: &writer, levels: levels)
          }
        }
      }
    case .table(let fields):
      try writer.table(fields: fields.count) { table throws(LuaError) in
        for (name, value) in fields {
          try table.set(named: name) { writer throws(LuaError) in
            try value.push(to: &writer, levels: levels)
          }
        }
      }
    default: break
    }
  }
}

extension ApiType {
  /// Whether a table given for it is a query.
  fileprivate var takesQuery: Bool {
    switch self {
    case .shape("starling.Query"): true
    case .union(let types): types.contains { $0.takesQuery }
    default: false
    }
  }
}

extension [ScriptValue] {
  /// Lets go of values one after another. By itself a value lets go of what is in it by a call inside
  /// of a call, for which a deep one has no stack.
  mutating func dismantle() {
    while let value = popLast() {
      switch value {
      case .list(let elements): append(contentsOf: elements)
      case .table(let fields): append(contentsOf: fields.values)
      default: break
      }
    }
  }
}
