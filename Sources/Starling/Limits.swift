/// What Lua may use: for each call of a plugin, each run of the rules over one feed, each script.
public struct Limits: Sendable, Equatable {
  /// Wall-clock time of one call into Lua.
  public var time: Duration
  /// Memory of one Lua state, in bytes.
  public var memoryBytes: Int

  public init(time: Duration = .seconds(5), memoryBytes: Int = 64 << 20) {
    self.time = time
    self.memoryBytes = memoryBytes
  }

  /// A plugin's call and a rule's: five seconds and 64 MB.
  public static let plugin = Limits()
  /// A script has no deadline of its own unless one is asked for; Ctrl-C ends it.
  public static let script = Limits(time: .seconds(86_400 * 365), memoryBytes: 1 << 30)
}
