import StarlingLua
import StarlingModel

/// Reads the `kinds` table of a plugin.
///
///     M.kinds = {
///       "post",                                    -- declared by another plugin
///       forum = { key = { "site", "id" }, fields = { site = "text" }, indexes = { "title" } },
///     }
struct KindReader {
  /// Where names stand in the plugin's text: Lua forgets the order in which a table's fields were
  /// written, and a table for people has its columns in that order.
  private let places: NamePlaces

  init(source: [UInt8]) {
    places = NamePlaces(source)
  }

  func read(_ table: LuaView) throws(LuaError) -> [KindDeclaration] {
    var shared: [KindDeclaration] = []
    try table.forEachElement { _, value throws(LuaError) in
      guard shared.count < KindModel.mostKindsOfOne else {
        throw .message("a plugin has at most \(KindModel.mostKindsOfOne) kinds")
      }
      shared.append(KindDeclaration(sharing: try shortName(value)))
    }
    var declared: [KindDeclaration] = []
    try table.forEachField { key, value throws(LuaError) in
      if key.type == .integer { return }
      guard shared.count + declared.count < KindModel.mostKindsOfOne else {
        throw .message("a plugin has at most \(KindModel.mostKindsOfOne) kinds")
      }
      let name = try shortName(key)
      do throws(LuaError) {
        declared.append(try declaration(name, value))
      } catch {
        throw error.inside(name)
      }
    }
    let names = declared.map(\.name)
    let order = sorted(names) { places.first(of: $0, after: 0) ?? .max }
    return shared + order.compactMap { name in declared.first { $0.name == name } }
  }

  /// A name, before anything is looked for by it: a string may be far longer.
  private func shortName(_ key: LuaView) throws(LuaError) -> String {
    guard key.rawCount <= Field.longestName || key.type != .string else {
      throw .message("a name has at most \(Field.longestName) characters")
    }
    return try key.string()
  }

  private func declaration(_ name: String, _ table: LuaView) throws(LuaError) -> KindDeclaration {
    try checkNames(table)
    let key = try table.field(named: "key") { value throws(LuaError) in try keyRule(value) }
    let fields = try table.field(named: "fields") { value throws(LuaError) in
      try self.fields(value, kind: name)
    }
    let indexes = try table.field(named: "indexes") { value throws(LuaError) in
      try texts(value, "indexes")
    }
    return KindDeclaration(name, key: key, fields: fields, indexes: indexes)
  }

  private func checkNames(_ table: LuaView) throws(LuaError) {
    let known = ["key", "fields", "indexes"]
    try table.forEachField { key, _ throws(LuaError) in
      let name = try shortName(key)
      if known.contains(name) { return }
      let hint = Spelling.nearest(to: name, among: known).map { "; did you mean `\($0)`?" } ?? ""
      throw .message("a kind has key, fields and indexes, and no `\(name)`\(hint)", about: name)
    }
  }

  private func keyRule(_ value: LuaView) throws(LuaError) -> Kind.KeyRule? {
    if value.isNil { return nil }
    if value.type == .string {
      let name = try value.string()
      return name == "auto" ? .auto : .fields([name])
    }
    return .fields(try texts(value, "key"))
  }

  private func texts(_ value: LuaView, _ name: String) throws(LuaError) -> [String] {
    var texts: [String] = []
    if value.isNil { return texts }
    do throws(LuaError) {
      try value.forEachElement { position, element throws(LuaError) in
        guard position <= KindModel.mostFields else { throw tooMany() }
        texts.append(try shortName(element))
      }
    } catch {
      throw error.inside(name)
    }
    return texts
  }

  private func tooMany() -> LuaError {
    .message("a kind has at most \(KindModel.mostFields) fields")
  }

  private func fields(_ value: LuaView, kind: String) throws(LuaError) -> [Field] {
    if value.isNil { return [] }
    var types: [String: FieldType] = [:]
    try value.forEachField { key, value throws(LuaError) in
      guard types.count < KindModel.mostFields else { throw tooMany() }
      let name = try shortName(key)
      let word = try shortName(value)
      guard let type = FieldType(rawValue: word) else {
        let words = FieldType.allCases.map(\.rawValue)
        let hint = Spelling.nearest(to: word, among: words).map { "; did you mean `\($0)`?" }
        throw .message(
          "field `\(name)` has an unknown type `\(word)`\(hint ?? " (\(words.joined(separator: ", ")))")",
          about: name)
      }
      types[name] = type
    }
    let start = places.first(of: kind, after: 0) ?? 0
    let names = sorted(Array(types.keys)) { places.first(of: $0, after: start) ?? .max }
    return names.compactMap { name in types[name].map { Field(name, $0) } }
  }

  /// By their places in the text, and by name where there is none.
  private func sorted(_ names: [String], _ place: (String) -> Int) -> [String] {
    names.map { (name: $0, place: place($0)) }
      .sorted { ($0.place, $0.name) < ($1.place, $1.name) }
      .map(\.name)
  }
}
