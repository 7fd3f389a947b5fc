import StarlingFetch
import StarlingLua

/// What a script has beyond what every context has: its streams, what it may do, how it ended.
final class ScriptEnvironment {
  let streams: ScriptStreams
  let permissions: Permissions
  /// Stops what runs, from any thread or signal handler.
  let stop: StopHandle
  var standard: StandardStreams?
  /// The favorites; nil where there are none.
  var store: StoreBinding?
  /// Makes requests; nil where there is no network.
  var fetcher: (() -> Fetcher)?
  /// What `help` says of a value; nil outside the console.
  var help: ((borrowing LuaCall) -> String)?
  /// Whether a listener is being told of a change, which ends no script.
  private(set) var isTelling = false
  /// The status that the script ended itself with; nil while it runs.
  private(set) var status: Int32?

  init(_ io: ScriptIO, _ permissions: Permissions, stop: StopHandle = StopHandle()) {
    streams = ScriptStreams(io)
    self.permissions = permissions
    self.stop = stop
  }

  /// Ends the script: the error to throw is a stop, which no Lua code can catch.
  func exit(_ status: Int32, _ state: LuaState) -> LuaError {
    self.status = self.status ?? status
    state.interruptHandle.interrupt()
    _ = state.mustStop
    return .interrupted(.request)
  }

  /// Calls a listener of changes.
  func tell(_ listener: () throws(LuaError) -> Void) throws(LuaError) {
    let wasTelling = isTelling
    isTelling = true
    defer { isTelling = wasTelling }
    try listener()
  }

  /// Forgets the end of an earlier chunk.
  func reset() { status = nil }
}

@available(*, unavailable)
extension ScriptEnvironment: Sendable {}

extension ApiEnvironment {
  /// - Throws: when the context has none, which no function of scripts meets.
  func requireScript() throws(LuaError) -> ScriptEnvironment {
    guard let script else { throw .message("scripts only") }
    return script
  }
}
