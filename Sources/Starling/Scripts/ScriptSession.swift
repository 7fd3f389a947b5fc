package import StarlingLua
import StarlingModel

/// A Lua state with everything that scripts and the console have.
package final class ScriptSession {
  package let state: LuaState
  let environment: ApiEnvironment
  let script: ScriptEnvironment

  /// - Parameters:
  ///   - access: how the store is come by; nil for none.
  ///   - origin: who acts.
  ///   - stop: stops what runs, from any thread or signal handler.
  init(
    _ environment: ApiEnvironment, io: ScriptIO, permissions: Permissions = .none,
    limits: Limits = .script, store access: StoreBinding.Access? = nil,
    origin: Cause.Origin = .script(name: "-e"), stop: StopHandle = StopHandle()
  ) throws(LuaError) {
    var configuration = LuaConfiguration.script
    configuration.memoryLimit = limits.memoryBytes
    configuration.timeLimit = limits.time
    state = try LuaState(configuration, interruptHandle: stop.interrupt)
    script = ScriptEnvironment(io, permissions, stop: stop)
    self.environment = environment
    environment.script = script
    try ApiRegistry.install(into: state, environment: environment)
    script.standard = try StandardStreams(state, script.streams)
    script.streams.mustStop = { [unowned state, unowned script] in
      // The end that a script asks for itself waits for its reader.
      state.timeLeft == .zero || script.status == nil && state.interruptHandle.isRaised
    }
    if let access { try bind(access, origin) }
  }

  private func bind(
    _ access: StoreBinding.Access, _ origin: Cause.Origin
  ) throws(LuaError) {
    let binding = StoreBinding(state, access, origin: origin, title: "run " + environment.name)
    script.store = binding
    script.streams.beforeWaiting = { [unowned binding] in binding.pause() }
    script.streams.whileWaiting = { [unowned binding] isOver throws(LuaError) in
      guard binding.isListening else { return }
      if isOver { try binding.poll() } else { try binding.pollNowAndThen() }
    }
    try TransactionFunction.install(binding, in: state)
  }

  /// Ends what the session has open: an open transaction is rolled back, what was changed is one run
  /// of the history.
  package func close() {
    script.streams.flush()
    script.store?.close()
  }

  /// Sets the global `arg`: the script's name at 0, its arguments from 1 on.
  package func setArguments(_ name: String, _ arguments: [[UInt8]]) throws(LuaError) {
    try state.setGlobal("arg") { writer throws(LuaError) in
      try writer.table(fields: 1, elements: arguments.count) { table throws(LuaError) in
        for argument in arguments {
          unsafe argument.withUnsafeBytes { bytes in unsafe table.append(bytes) }
        }
        try table.set(at: 0) { $0.push(name) }
      }
    }
  }

  /// Lets `require` find modules in one folder and nowhere else.
  package func requireModules(in folder: String) {
    state.registerRequire { name throws(LuaError) in
      guard let path = ScriptSession.path(ofModule: name, in: folder) else { return nil }
      guard let real = Files.absolute(path), let root = Files.absolute(folder),
        Files.isIn(root, real)
      else {
        throw .message("module '\(name)' is a link that leads out of the script's folder")
      }
      do throws(HostError) {
        return LuaModule(source: try Files.readLua(real, limitBytes: 16 << 20), chunk: path)
      } catch {
        throw .host(error)
      }
    }
  }

  /// `a.b` is `a/b.lua`; a name with anything but letters, digits, `_`, `-` between its dots is none.
  private static func path(ofModule name: String, in folder: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy(isNameByte)
    }
    guard isName else { return nil }
    let path = Files.join(folder, parts.joined(separator: "/") + ".lua")
    return Files.entry(path) == .file ? path : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Runs one chunk with its arguments.
  ///
  /// - Returns: the status that the script ended itself with; nil when it went to its end.
  /// - Throws: what Lua raised. What it left half-done is taken back.
  package func run(
    _ source: [UInt8], name: String, arguments: [[UInt8]] = []
  ) throws(LuaError) -> Int32? {
    try run(
      Files.luaText(of: source), name: name,
      pushing: { writer in for argument in arguments { writer.push(argument) } },
      results: { _ in })
  }

  /// Runs one chunk and lends what it returns.
  func run(
    _ source: [UInt8], name: String, mostResults: Int = 0, pushing: (inout LuaWriter) -> Void,
    results: (borrowing LuaResults) throws(LuaError) -> Void
  ) throws(LuaError) -> Int32? {
    defer { script.store?.endEntry() }
    let chunk = try state.load(source, name: name)
    do throws(LuaError) {
      try state.call(
        chunk, mostResults: mostResults, arguments: { writer throws(LuaError) in pushing(&writer) },
        results: { values throws(LuaError) in
          try results(values)
          // Who reads the output is waited for as long as the script has time.
          if script.streams.flush() { try state.stopCheck.check() }
        })
      // What it left open is rolled back; what others did is told to the end.
      script.store?.endEntry()
      try script.store?.poll()
    } catch {
      script.streams.flush()
      guard let status = script.status else { throw error }
      state.interruptHandle.clear()
      return status
    }
    return script.streams.isClosed ? 0 : nil
  }
}

@available(*, unavailable)
extension ScriptSession: Sendable {}
