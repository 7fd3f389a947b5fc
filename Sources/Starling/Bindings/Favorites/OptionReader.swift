import StarlingLua
import StarlingModel

/// Reads a table of options: each name must be known, each value of its type.
struct OptionReader {
  /// Bytes of what names something.
  static let longestName = 4 << 10
  /// Bytes of any other option.
  static let longestText = 1 << 20

  private let table: LuaView
  private let function: String

  /// Checks the names of the options.
  ///
  /// - Parameter names: those that the function knows.
  /// - Throws: for any other, with the nearest right one.
  init(_ table: LuaView, _ names: [String], of function: String) throws(LuaError) {
    self.table = table
    self.function = function
    guard table.type == .table else { return }
    try table.forEachField { key, _ throws(LuaError) in
      let name = key.text(atMost: 64) ?? "[\(key.type.name)]"
      if names.contains(name) { return }
      let hint = Spelling.nearest(to: name, among: names).map { "; did you mean `\($0)`?" }
      let known = names.joined(separator: ", ")
      throw .message(
        "\(function) has no option `\(name)`" + (hint ?? "; it has \(known)"))
    }
  }

  /// Lends the value of an option; nil when it is not given.
  func read<Result>(
    _ name: String, _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result? {
    guard table.type == .table else { return nil }
    return try table.field(named: name) { value throws(LuaError) in
      if value.isNil { return nil }
      do throws(LuaError) {
        return try body(value)
      } catch {
        throw error.inside(name)
      }
    }
  }

  func text(_ name: String) throws(LuaError) -> String? {
    try read(name) { value throws(LuaError) in
      try value.string(atMost: Self.longestText)
    }
  }

  func flag(_ name: String) throws(LuaError) -> Bool? {
    try read(name) { value throws(LuaError) in try OptionReader.flag(value) }
  }

  static func flag(_ value: LuaView) throws(LuaError) -> Bool {
    guard let flag = value.boolean else {
      throw .conversion(expected: "boolean", found: value.type.name, path: "")
    }
    return flag
  }

  /// A whole number that is not negative.
  func count(_ name: String) throws(LuaError) -> Int? {
    try read(name) { value throws(LuaError) in try OptionReader.count(value) }
  }

  static func count(_ value: LuaView) throws(LuaError) -> Int {
    guard value.type != .string, let number = value.integer, let count = Int(exactly: number),
      count >= 0
    else {
      throw .conversion(expected: "a whole number from 0 on", found: value.type.name, path: "")
    }
    return count
  }

  /// A list of texts, or one text.
  func texts(_ name: String) throws(LuaError) -> [String]? {
    try read(name) { value throws(LuaError) in
      if value.type == .string { return [try value.string()] }
      guard value.type == .table else {
        throw .conversion(expected: "a list of strings", found: value.type.name, path: "")
      }
      var texts: [String] = []
      try value.forEachElement { position, element throws(LuaError) in
        do throws(LuaError) {
          texts.append(try element.string())
        } catch {
          throw error.inside("[\(position)]")
        }
      }
      return texts
    }
  }
}
