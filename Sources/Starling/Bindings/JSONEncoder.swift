import StarlingLua
import StarlingModel

/// Writes a Lua value as JSON, reading raw, so that no metamethod can lie or run. What it holds
/// counts as the state's memory.
struct JSONEncoder: ~Copyable {
  private var writer = JSONWriter()
  private let state: LuaState
  private var count = 0
  /// Bytes of the names that are still to be written, of all tables that are open.
  private var namesHeld = 0
  /// Bytes that are counted for the state.
  private var charged = 0
  /// Bytes of text after which the limits are looked at again.
  private var nextLook = JSONEncoder.pieceSize

  /// Tables inside each other; a table that contains itself is deeper than any.
  private static let deepest = 100

  var bytes: [UInt8] { writer.bytes }

  init(_ state: LuaState) {
    self.state = state
  }

  deinit { state.discharge(bytes: charged) }

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

  /// What is held is what the text will have at least: a longer one than a string may be is ended
  /// before it is made.
  private mutating func checkBudget() throws(LuaError) {
    let held = writer.bytes.count + namesHeld
    nextLook = writer.bytes.count + JSONEncoder.pieceSize
    // While it grows, the text is there twice; so it is again when Lua has it.
    if 2 * held > charged {
      state.charge(bytes: 2 * held - charged)
      charged = 2 * held
    }
    try state.checkBudget(holding: held)
  }

  /// Looks at the limits for the whole text.
  mutating func finish() throws(LuaError) { try checkBudget() }

  private mutating func write(number: Double) throws(LuaError) {
    guard number.isFinite else {
      throw .conversion(
        expected: "a number that JSON has", found: number.isNaN ? "nan" : "an infinity", path: "")
    }
    writer.real(number)
  }

  private mutating func write(text: LuaView) throws(LuaError) {
    guard let bytes = unsafe text.bytes else { return writer.null() }
    try unsafe JSONEncoder.requireUTF8(bytes)
    let utf8 = unsafe bytes.bindMemory(to: UInt8.self)
    try write(unsafe utf8.span)
  }

  /// A text in pieces with a look at the limits between them: escaped, one string may be six times as
  /// long as a string may be.
  private mutating func write(_ text: Span<UInt8>) throws(LuaError) {
    writer.beginText()
    var start = 0
    while start < text.count {
      var end = min(start + JSONEncoder.pieceSize, text.count)
      // Before the beginning of a character: the text is UTF-8.
      while end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
      writer.textPiece(text.extracting(start..<end))
      start = end
      if start < text.count || writer.bytes.count > nextLook {
        try checkBudget()
      }
    }
    writer.endText()
  }

  private static let pieceSize = 64 << 10

  private static func requireUTF8(_ bytes: UnsafeRawBufferPointer) throws(LuaError) {
    do {
      _ = try unsafe UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)
    } catch {
      throw .conversion(
        expected: "UTF-8 text", found: "an invalid byte at \(error.byteOffsets.lowerBound + 1)",
        path: "")
    }
  }

  /// A list when its keys are 1...n and nothing else; what is empty is an object, unless it is an
  /// empty list of the host.
  private mutating func write(table: LuaView, depth: Int) throws(LuaError) {
    var names = FieldNames()
    var others = 0
    try table.forEachField { key, _ throws(LuaError) in
      guard let name = unsafe key.bytes else {
        others += 1
        return
      }
      try unsafe JSONEncoder.requireUTF8(name)
      unsafe names.append(name)
      namesHeld += name.count
      if namesHeld > state.configuration.stringLimit { try checkBudget() }
    }
    if others > 0 {
      guard names.ranges.isEmpty, others == table.rawCount else {
        throw .conversion(
          expected: "a list 1...n or fields with names",
          found: names.ranges.isEmpty ? "a list with holes or other keys" : "both in one table",
          path: "")
      }
      try write(list: table, depth: depth)
    } else if names.ranges.isEmpty, table.isMarkedArray {
      writer.beginArray()
      writer.endArray()
    } else {
      try write(object: table, &names, depth: depth)
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
    object: LuaView, _ names: inout FieldNames, depth: Int
  ) throws(LuaError) {
    try names.sort { () throws(LuaError) in try checkBudget() }
    writer.beginObject()
    for place in names.ranges.indices {
      let name = names.bytes.span.extracting(names.ranges[place])
      try write(name)
      namesHeld -= name.count
      writer.colon()
      let value = try object.pushField(bytes: name)
      defer { value.pop() }
      do throws(LuaError) {
        try write(value, depth: depth)
      } catch {
        throw error.inside(names.text(place))
      }
    }
    writer.endObject()
  }

  private mutating func write(document value: LuaView) throws(LuaError) {
    throw .conversion(
      expected: "a value that JSON has", found: "a read-only view of a feed", path: "")
  }
}
