import StarlingLua

/// `print` and `io.*`: the standard streams, and no files. The functions of `io` are the methods of
/// `io.stdin`, `io.stdout` and `io.stderr` too.
enum StreamFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "print", in: .script, [.rest("values", .any, "shown as tostring shows them")],
      help: "Writes values to standard output, with tabs between them and an end of line."
    ) { environment, call, _ throws(LuaError) in
      let script = try environment.requireScript()
      for position in 1...max(1, call.count) where position <= call.count {
        if position > 1 { _ = script.streams.write("\t") }
        _ = try write(call[position], script.streams, call)
      }
      if !script.streams.write("\n") { throw script.exit(0, call.state) }
    },
    ApiFunction(
      "io.write", in: .script, [.rest("values", .any, "strings and numbers")],
      returns: [ApiResult(type: .any, help: "io.stdout")],
      help: "Writes strings and numbers to standard output; `io.stderr:write` to standard error."
    ) { environment, call, results throws(LuaError) in
      try write(try environment.requireScript(), call, &results)
    },
    ApiFunction(
      "io.flush", in: .script,
      returns: [ApiResult(type: .any, help: "io.stdout")],
      help: "Passes on what was written; `io.stderr` keeps nothing back."
    ) { environment, call, results throws(LuaError) in
      let script = try environment.requireScript()
      let role = script.standard?.stream(call)
      if role != .error, role != .input, !script.streams.flush() {
        throw script.exit(0, call.state)
      }
      if role != nil {
        results.push(call[1])
      } else if let standard = script.standard {
        results.push(standard.output)
      }
    },
    ApiFunction(
      "io.read", in: .script, [formats],
      returns: [ApiResult(type: .any, help: "one for each format; nil at the end of the input")],
      help: "Reads standard input: `l` a line, `L` with its end, `n` a number, `a` all, or bytes."
    ) { environment, call, results throws(LuaError) in
      let script = try environment.requireScript()
      let formats = try formats(of: call, script, method: "read")
      for format in formats.isEmpty ? [.line(keepsEnd: false)] : formats {
        guard try format.read(script.streams, call.state, &results) else { return }
      }
    },
    ApiFunction(
      "io.lines", in: .script, [formats],
      returns: [ApiResult(type: .function, help: "an iterator")],
      help: "Goes through standard input: `for line in io.lines() do`."
    ) { environment, call, results throws(LuaError) in
      let script = try environment.requireScript()
      let formats = try formats(of: call, script, method: "lines")
      if let standard = script.standard { results.push(standard.lines(call.state, formats)) }
    },
  ]

  private static let formats = ApiParameter.rest("formats", .any, "a line when left out")

  private static func formats(
    of call: borrowing LuaCall, _ script: ScriptEnvironment, method: String
  ) throws(LuaError) -> [ReadFormat] {
    let role = script.standard?.stream(call)
    if let role, role != .input { throw .message("cannot \(method): this stream is for writing") }
    var formats: [ReadFormat] = []
    var position = role == nil ? 1 : 2
    // `io.lines(name)` is Lua's for a file; without a name it is standard input.
    if method == "lines", role == nil, call.count > 0 {
      if call[1].type == .nil { position = 2 }
      if let name = try call[1].type == .string ? call.text(1) : nil,
        name.drop(while: { $0 == "*" }).utf8.count != 1
      {
        throw call.argumentError(1, "a format of io.read is needed; fs.read reads files")
      }
    }
    while position <= call.count {
      formats.append(try ReadFormat(call, position))
      position += 1
    }
    return formats
  }

  private static func write(
    _ script: ScriptEnvironment, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    let role = script.standard?.stream(call)
    if role == .input { throw .message("cannot write: this stream is for reading") }
    var position = role == nil ? 1 : 2
    while position <= call.count {
      let value = call[position]
      guard [.string, .integer, .number].contains(value.type) else {
        throw call.argumentError(position, expected: "string")
      }
      if role == .error {
        _ = try unsafe call.withText(position) { text throws(LuaError) in
          unsafe script.streams.writeError(text)
        }
      } else if try !writeBare(value, script.streams, call) {
        throw script.exit(0, call.state)
      }
      position += 1
    }
    if role != nil {
      results.push(call[1])
    } else if let standard = script.standard {
      results.push(standard.output)
    }
  }

  /// Writes a string or a number: a float without a fraction as `%.14g` shows it, `1`, not `1.0`
  /// (`g_write` of liolib.c).
  private static func writeBare(
    _ value: LuaView, _ streams: ScriptStreams, _ call: borrowing LuaCall
  ) throws(LuaError) -> Bool {
    if let bytes = unsafe value.bytes { return unsafe streams.write(bytes) }
    let text = try call.state.display(value)
    return streams.write(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// Writes a value as tostring shows it.
  private static func write(
    _ value: LuaView, _ streams: ScriptStreams, _ call: borrowing LuaCall
  ) throws(LuaError) -> Bool {
    if let bytes = unsafe value.bytes { return unsafe streams.write(bytes) }
    return streams.write(try call.state.display(value))
  }
}
