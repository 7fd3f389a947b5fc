import StarlingLua

/// What a script may do only by permission: `fs.*`, `http.get`, `env.get`, `process.run`.
enum PermittedFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "fs.read", in: .script, [.required("path", .string, "a file")],
      returns: [ApiResult(type: .string, help: "its bytes")],
      help: "Reads a whole file.", permission: "--allow-read"
    ) { environment, call, results throws(LuaError) in
      let limit = call.state.configuration.stringLimit
      let bytes = try permitted(environment, call) { permissions, path throws(HostError) in
        try Files.readGuarded(try permissions.readable(path), limitBytes: limit)
      }
      results.push(bytes)
    },
    ApiFunction(
      "fs.json", in: .script, [.required("path", .string, "a file")],
      returns: [ApiResult(type: .any, help: "as json.decode gives it")],
      help: "Reads a file as one JSON value, also one that is longer than a string may be.",
      permission: "--allow-read"
    ) { environment, call, results throws(LuaError) in
      let state = call.state
      let bytes = try permitted(environment, call) { permissions, path throws(HostError) in
        let file = try permissions.readable(path)
        let limit = state.configuration.memoryLimit
        return try Files.readGuarded(file, limitBytes: min(limit, JSONFunctions.longestFile))
      }
      try JSONFunctions.push(file: bytes, call, &results)
    },
    ApiFunction(
      "fs.write", in: .script,
      [.required("path", .string, "a file"), .required("text", .string, "all that it shall hold")],
      help: "Writes a whole file, at once: nobody sees half of it.", permission: "--allow-write"
    ) { environment, call, _ throws(LuaError) in
      let text = try unsafe call.withText(2) { text throws(LuaError) in unsafe Array(text) }
      try permitted(environment, call) { permissions, path throws(HostError) in
        try Files.replaceGuarded(try permissions.writable(path), with: text ?? [])
      }
    },
    ApiFunction(
      "fs.list", in: .script, [.required("path", .string, "a folder")],
      returns: [ApiResult(type: .list(.string), help: "the names in it, sorted")],
      help: "Lists a folder, without the names that begin with a dot.", permission: "--allow-read"
    ) { environment, call, results throws(LuaError) in
      let names = try permitted(environment, call) { permissions, path throws(HostError) in
        try Files.namesGuarded(try permissions.readable(path))
      }
      try results.array(count: names.count) { list in
        for name in names { list.append(name) }
      }
    },
    ApiFunction(
      "env.get", in: .script, [.required("name", .string, "a variable's name")],
      returns: [ApiResult(type: .string, isOptional: true, help: "its value")],
      help: "Reads an environment variable.", permission: "--allow-env"
    ) { environment, call, results throws(LuaError) in
      try environmentVariable(environment, call, &results)
    },
  ]

  static func environmentVariable(
    _ environment: ApiEnvironment, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    let value = try permitted(environment, call) { permissions, name throws(HostError) in
      try permissions.checkEnvironment(name)
      return Files.environment(name)
    }
    if let value { results.push(value) } else { results.pushNil() }
  }

  /// Runs what needs a permission, with the first argument as text.
  private static func permitted<Result>(
    _ environment: ApiEnvironment, _ call: borrowing LuaCall,
    _ body: (Permissions, String) throws(HostError) -> Result
  ) throws(LuaError) -> Result {
    let script = try environment.requireScript()
    guard let text = try call.name(1), !text.utf8.contains(0) else {
      throw call.argumentError(1, "text without a zero byte expected")
    }
    script.streams.beforeWaiting()
    do throws(HostError) {
      return try body(script.permissions, text)
    } catch {
      throw .host(error)
    }
  }
}
