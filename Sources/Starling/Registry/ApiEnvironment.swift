import StarlingLua
import StarlingModel

/// What the host functions of one Lua state work with.
final class ApiEnvironment {
  let context: ApiContexts
  /// Now, as the host sees it; tests fix it.
  let clock: () -> Timestamp
  /// Takes what `log.info` and its kin say.
  let log: (LogLine) -> Void
  /// The app's own functions; those of this context are installed.
  let appFunctions: [ApiFunction]
  /// Names the state in log lines: the plugin's, the script's.
  let name: String
  /// Who acts: the cause of favorites that this state makes.
  var origin: Cause.Origin = .hand
  /// What scripts have beyond that; nil in every other context.
  var script: ScriptEnvironment?
  /// What each group of functions keeps for this state, by the group's name: interned keys, open
  /// cursors. A slot is filled at first use.
  var slots: [String: AnyObject] = [:]

  init(
    context: ApiContexts, name: String, clock: @escaping () -> Timestamp,
    log: @escaping (LogLine) -> Void, appFunctions: [ApiFunction] = []
  ) {
    self.appFunctions = appFunctions
    self.context = context
    self.name = name
    self.clock = clock
    self.log = log
  }

  /// All that Lua code of this host sees, in every context.
  var surface: ApiSurface { .standard.adding(appFunctions) }

  /// The group's own state, made at first use.
  func slot<State: AnyObject>(_ name: String, _ make: () -> State) -> State {
    if let state = slots[name] as? State { return state }
    let state = make()
    slots[name] = state
    return state
  }
}

@available(*, unavailable)
extension ApiEnvironment: Sendable {}

/// One line that Lua code logged, or an error that ended nothing.
public struct LogLine: Sendable, Equatable {
  public enum Level: String, Sendable {
    case debug
    case info
    case warn
    case error
  }

  public var level: Level
  /// The plugin's or script's name.
  public var source: String
  public var message: String
  /// What failed, where the line tells of an error: of a listener, say.
  public var error: HostError?

  public init(level: Level, source: String, message: String, error: HostError? = nil) {
    self.level = level
    self.source = source
    self.message = message
    self.error = error
  }

  public static func == (left: LogLine, right: LogLine) -> Bool {
    left.level == right.level && left.source == right.source && left.message == right.message
      && left.error?.description == right.error?.description
  }
}
