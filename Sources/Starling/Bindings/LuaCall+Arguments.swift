import StarlingLua

/// What the bodies of the functions ask of their arguments.
extension LuaCall {
  /// Lends an argument's text as bytes: a string's own, a number's as Lua prints it.
  ///
  /// - Returns: nil for nil and for no argument.
  func withText<Result>(
    _ position: Int, _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Result
  ) throws(LuaError) -> Result? {
    let value = self[position]
    if let bytes = unsafe value.bytes { return try unsafe body(bytes) }
    if value.isNil { return nil }
    let digits = Array(try state.display(value).utf8)
    return try unsafe digits.withUnsafeBufferPointer { bytes throws(LuaError) in
      try unsafe body(UnsafeRawBufferPointer(bytes))
    }
  }

  /// The same, and nil for a text that is longer than anything of its sort.
  func text(_ position: Int, atMost bytes: Int) throws(LuaError) -> String? {
    if let text = unsafe self[position].bytes, text.count > bytes { return nil }
    return try text(position)
  }

  /// The text of an argument that names something outside: a file, an address, a program.
  ///
  /// - Throws: the error for a bad argument when it is longer than any such name.
  func name(_ position: Int) throws(LuaError) -> String? {
    let most = 64 << 10
    if let count = unsafe self[position].bytes?.count, count > most {
      throw argumentError(position, "at most \(most) bytes expected, got \(count)")
    }
    return try text(position)
  }

  /// An argument's text; nil for nil and for no argument.
  ///
  /// - Throws: the error for a bad argument when it is not UTF-8.
  func text(_ position: Int) throws(LuaError) -> String? {
    let value = self[position]
    switch value.type {
    case .none, .nil: return nil
    case .string:
      do throws(LuaError) {
        return try value.string()
      } catch {
        throw argumentError(position, error.description)
      }
    default: return try state.display(value)
    }
  }
}

extension LuaWriter {
  /// Pushes a text, or nil.
  mutating func push(orNil text: String?) {
    if let text { push(text) } else { pushNil() }
  }

  mutating func push(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe push($0) }
  }

  /// Pushes a number as an integer when it is one, as people would write it.
  mutating func push(natural number: Double) {
    if let whole = Int64(exactly: number) { push(whole) } else { push(number) }
  }
}

extension LuaTableWriter {
  /// Sets a number as an integer when it is one, as people would write it.
  mutating func set(_ key: LuaKey, natural number: Double) {
    if let whole = Int64(exactly: number) { set(key, whole) } else { set(key, number) }
  }
}
