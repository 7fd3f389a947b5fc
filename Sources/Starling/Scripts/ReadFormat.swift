import StarlingLua

/// What `io.read` is asked for (Lua manual 5.4, file:read).
enum ReadFormat {
  case line(keepsEnd: Bool)
  case number
  case all
  case bytes(Int)

  init(_ call: borrowing LuaCall, _ position: Int) throws(LuaError) {
    let value = call[position]
    if value.type != .string {
      guard let count = value.integer.flatMap({ Int(exactly: $0) }), count >= 0 else {
        throw call.argumentError(position, expected: "format")
      }
      self = .bytes(count)
      return
    }
    let format = try call.text(position) ?? ""
    switch format.first == "*" ? format.dropFirst().first : format.first {
    case "l": self = .line(keepsEnd: false)
    case "L": self = .line(keepsEnd: true)
    case "n": self = .number
    case "a": self = .all
    default: throw call.argumentError(position, "invalid format")
    }
  }

  /// Pushes one value, nil at the end of the input.
  ///
  /// - Returns: false after nil: the formats that follow are not read.
  func read(
    _ streams: ScriptStreams, _ state: LuaState, _ results: inout LuaWriter
  ) throws(LuaError) -> Bool {
    let found: [UInt8]?
    switch self {
    case .line(let keepsEnd): found = try streams.line(keepsEnd: keepsEnd, state)
    case .all: found = try streams.rest(state)
    case .bytes(let count): found = try streams.bytes(count, state)
    case .number: return try readNumber(streams, state, &results)
    }
    if let found { results.push(found) } else { results.pushNil() }
    return found != nil
  }

  private func readNumber(
    _ streams: ScriptStreams, _ state: LuaState, _ results: inout LuaWriter
  ) throws(LuaError) -> Bool {
    var reader = NumeralReader(streams, state)
    switch try reader.read() {
    case .integer(let integer): results.push(integer)
    case .number(let number): results.push(number)
    case nil:
      results.pushNil()
      return false
    }
    return true
  }
}
