import StarlingLua
import StarlingModel

/// Reads the `kinds` table of a plugin.
///
///     M.kinds = {
///       "post",                                    -- declared by another plugin
///       forum = { key = { "site", "id" }, fields = { site = "text" }, indexes = { "title" } },
///     }
struct KindReader {
  /// The plugin's text: Lua forgets the order in which a table's fields were written, and a table
  /// for people has its columns in that order.
  let source: [UInt8]

  func read(_ table: LuaView) throws(LuaError) -> [KindDeclaration] {
    var shared: [KindDeclaration] = []
    try table.forEachElement { _, value throws(LuaError) in
      shared.append(KindDeclaration(sharing: try value.string()))
    }
    var declared: [KindDeclaration] = []
    try table.forEachField { key, value throws(LuaError) in
      if key.type == .integer { return }
      let name = try key.string()
      do throws(LuaError) {
        declared.append(try declaration(name, value))
      } catch {
        throw error.inside(name)
      }
    }
    let names = declared.map(\.name)
    let order = sorted(names) { first(of: $0, after: 0) ?? .max }
    return shared + order.compactMap { name in declared.first { $0.name == name } }
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
      let name = try key.string()
      if known.contains(name) { return }
      let hint = Spelling.nearest(to: name, among: known).map { "; did you mean `\($0)`?" } ?? ""
      throw .message("a kind has key, fields and indexes, and no `\(name)`\(hint)")
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
      try value.forEachElement { _, element throws(LuaError) in texts.append(try element.string()) }
    } catch {
      throw error.inside(name)
    }
    return texts
  }

  private func fields(_ value: LuaView, kind: String) throws(LuaError) -> [Field] {
    if value.isNil { return [] }
    var types: [String: FieldType] = [:]
    try value.forEachField { key, value throws(LuaError) in
      let name = try key.string()
      let word = try value.string()
      guard let type = FieldType(rawValue: word) else {
        let words = FieldType.allCases.map(\.rawValue)
        let hint = Spelling.nearest(to: word, among: words).map { "; did you mean `\($0)`?" }
        throw .message(
          "field `\(name)` has an unknown type `\(word)`\(hint ?? " (\(words.joined(separator: ", ")))")"
        )
      }
      types[name] = type
    }
    let start = first(of: kind, after: 0) ?? 0
    let names = sorted(Array(types.keys)) { first(of: $0, after: start) ?? .max }
    return names.compactMap { name in types[name].map { Field(name, $0) } }
  }

  /// By their places in the text, and by name where there is none.
  private func sorted(_ names: [String], _ place: (String) -> Int) -> [String] {
    names.map { (name: $0, place: place($0)) }
      .sorted { ($0.place, $0.name) < ($1.place, $1.name) }
      .map(\.name)
  }

  /// Where `name =` or `["name"] =` first stands in the source, from `start` on.
  private func first(of name: String, after start: Int) -> Int? {
    let pattern = Array(name.utf8)
    var place = start
    while place + pattern.count < source.count {
      if source[place...].starts(with: pattern), isKey(place, place + pattern.count) {
        return place
      }
      place += 1
    }
    return nil
  }

  private func isKey(_ start: Int, _ end: Int) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
    if start > 0, isWord(source[start - 1]) || source[start - 1] == UInt8(ascii: ".") {
      return false
    }
    let rest = source[end...].drop { [0x20, 0x09, 0x22, 0x27, 0x5D].contains($0) }
    return rest.first == UInt8(ascii: "=")
      && rest.dropFirst().first != UInt8(ascii: "=")
  }
}
