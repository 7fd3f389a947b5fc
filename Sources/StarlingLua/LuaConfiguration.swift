/// What a state may use and what it has.
package struct LuaConfiguration: Sendable {
  /// Which functions a state has.
  package enum Library: Int32, Sendable {
    /// The safe library only.
    case plugin = 0
    case rules = 1
    case script = 2
  }

  /// What happens to global variables that nobody defined. Reading one is always an error that
  /// names the nearest right one.
  package enum Globals: Int32, Sendable {
    /// Lua's own manners: reading gives nil, writing defines.
    case open = 0
    /// The main chunk may define globals; a function that assigns an undefined one raises.
    case topLevel = 1
    /// No global can be defined.
    case closed = 2
  }

  package var library: Library
  package var globals: Globals
  /// Bytes that Lua may hold.
  package var memoryLimit: Int
  /// Bytes of one string.
  package var stringLimit: Int
  /// Time for an outermost call that gives no budget of its own; nil for none.
  package var timeLimit: Duration?
  /// The signal that the watchdog sends to a thread whose call is late; nil for SIGURG. An earlier
  /// handler is called as well.
  package var signal: Int32?
  /// What `math.random` begins with and `math.randomseed()` takes; nil for the time.
  package var randomSeed: Int64?
  /// For tests: the n-th allocation while Lua code runs and all later ones fail, from the state's
  /// opening on.
  package var failingAllocation: Int?

  package init(
    library: Library, globals: Globals, memoryLimit: Int = 64 << 20, stringLimit: Int = 4 << 20,
    timeLimit: Duration? = .seconds(5), signal: Int32? = nil
  ) {
    self.library = library
    self.globals = globals
    self.memoryLimit = memoryLimit
    self.stringLimit = stringLimit
    self.timeLimit = timeLimit
    self.signal = signal
  }

  package static let plugin = LuaConfiguration(library: .plugin, globals: .closed)
  package static let rules = LuaConfiguration(library: .rules, globals: .topLevel)
  package static let script = LuaConfiguration(
    library: .script, globals: .topLevel, memoryLimit: 256 << 20, stringLimit: 16 << 20,
    timeLimit: nil)
}
