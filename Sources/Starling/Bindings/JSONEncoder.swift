import StarlingLua
import StarlingModel

/// Writes a Lua value as JSON, reading raw, so that no metamethod can lie or run.
struct JSONEncoder {
  private var writer = JSONWriter()
  private let state: LuaState
  private var count = 0

  /// Tables inside each other; a table that contains itself is deeper than any.
  private static let deepest = 100

  var bytes: [UInt8] { writer.bytes }

  init(_ state: LuaState) {
    self.state = state
  }

  /// - Throws: `conversion` with the path of what JSON cannot say; `outOfMemory` for a text that is
  ///   longer than a string of this state may be; `interrupted`.
  mutating func write(_ value: LuaView, depth: Int = 0) throws(LuaError) {
    count += 1
    if count & 255 == 0 { try checkBudget() }
    switch value.type {
    case .none, .nil, .null: writer.null()
    case .boolean: writer.boolean(value.isTrue)
    case .integer: writer.integer(value.integer ?? 0)
    case .number: try write(number: value.number ?? .nan)
    case .string: try write(text: value)
    case .table:
      if depth == Self.deepest {
        throw .conversion(
          expected: "tables at most \(Self.deepest) deep", found: "a cycle or a deeper one",
          path: "")
      }
      try write(table: value, depth: depth + 1)
    case .view: try write(document: value)
    case .object, .function, .thread, .other:
      throw .conversion(
        expected: "a value that JSON has", found: "a \(value.type.name)", path: "")
    }
  }

  private func checkBudget() throws(LuaError) {
    try state.checkBudget(holding: writer.bytes.count)
  }

  private mutating func write(number: Double) throws(LuaError) {
    guard number.isFinite else {
      throw .conversion(
        expected: "a number that JSON has", found: number.isNaN ? "nan" : "an infinity", path: "")
    }
    writer.real(number)
  }

  private mutating func write(text: LuaView) throws(LuaError) {
    guard let bytes = unsafe text.bytes else { return writer.null() }
    let utf8 = unsafe bytes.bindMemory(to: UInt8.self)
    do {
      _ = try unsafe UTF8Span(validating: utf8.span)
    } catch {
      throw .conversion(
        expected: "UTF-8 text", found: "an invalid byte at \(error.byteOffsets.lowerBound + 1)",
        path: "")
    }
    unsafe writer.text(utf8: bytes)
    if writer.bytes.count > state.configuration.stringLimit { try checkBudget() }
  }

  /// A list when its keys are 1...n and nothing else; what is empty is an object, unless it is an
  /// empty list of the host.
  private mutating func write(table: LuaView, depth: Int) throws(LuaError) {
    var names: [String] = []
    var others = 0
    try table.forEachField { key, _ throws(LuaError) in
      if key.type == .string { names.append(try key.string()) } else { others += 1 }
      if (names.count + others) & 1023 == 0 { try state.checkBudget() }
    }
    if others > 0 {
      guard names.isEmpty, others == table.rawCount else {
        throw .conversion(
          expected: "a list 1...n or fields with names",
          found: names.isEmpty ? "a list with holes or other keys" : "both in one table", path: "")
      }
      try write(list: table, depth: depth)
    } else if names.isEmpty, table.isMarkedArray {
      writer.beginArray()
      writer.endArray()
    } else {
      try write(object: table, names: &names, depth: depth)
    }
  }

  private mutating func write(list: LuaView, depth: Int) throws(LuaError) {
    writer.beginArray()
    for position in 1...max(1, list.rawCount) {
      let element = try list.pushElement(position)
      defer { element.pop() }
      do throws(LuaError) {
        try write(element, depth: depth)
      } catch {
        throw error.inside("[\(position)]")
      }
    }
    writer.endArray()
  }

  private mutating func write(
    object: LuaView, names: inout [String], depth: Int
  ) throws(LuaError) {
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    writer.beginObject()
    for name in names {
      let value = try object.pushField(named: name)
      defer { value.pop() }
      writer.name(name)
      do throws(LuaError) {
        try write(value, depth: depth)
      } catch {
        throw error.inside(name)
      }
    }
    writer.endObject()
  }

  private mutating func write(document value: LuaView) throws(LuaError) {
    throw .conversion(expected: "a value that JSON has", found: "a view", path: "")
  }
}
