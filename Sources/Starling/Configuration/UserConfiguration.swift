public import StarlingFavorites
package import StarlingLua
public import StarlingModel

/// What the user's `init.lua` says, but for its rules, which are a `RuleSet`.
public struct UserConfiguration: Sendable {
  /// A feed that is loaded by `sync`: `source "bbc" { url = "...", every = "30m" }`.
  public struct Source: Sendable {
    public var name: String
    /// A URL or a path.
    public var url: String
    /// The plugin that maps it; nil to ask all of them.
    public var plugin: String?
    /// Seconds between two loads; nil for the default.
    public var everySeconds: Int64?
    /// What the plugin sees as `feed.options`.
    package var options: LuaValue
    /// The character set of its documents, whatever they declare.
    public var charset: String?
    /// What its entities have for their site, in place of the URL's host.
    public var site: String?
    public var location: SourceLocation
  }

  /// A query that was given a name: `search "cheap" { kind = "car_type", where = { ... } }`.
  public struct Search: Sendable {
    public var name: String
    public var kind: String
    public var condition: Condition
    /// As `--order` takes it: `-published`.
    public var order: String?
    public var limit: Int?
    public var tag: String?
    public var text: String?
    public var location: SourceLocation
  }

  /// In the order in which they are written.
  public internal(set) var sources: [Source] = []
  /// OPML files with more sources, as written: relative to the folder of `init.lua`.
  public internal(set) var sourceFiles: [String] = []
  public internal(set) var searches: [Search] = []
  /// Nil where the file says nothing.
  public internal(set) var time: Duration?
  public internal(set) var memoryBytes: Int?
  /// Seconds that an entity is kept after a feed last had it.
  public internal(set) var keepSeconds: Int64?

  public init() {}

  /// The limits that the file sets, and the given ones where it sets none.
  public func limits(over other: Limits) -> Limits {
    Limits(time: time ?? other.time, memoryBytes: memoryBytes ?? other.memoryBytes)
  }

  /// Reads a file as `init.lua`, in a Lua state of its own.
  ///
  /// - Throws: everything that is wrong in it.
  public init(
    readingFrom file: String, limits: Limits = .plugin,
    clock: @escaping () -> Timestamp = StoreOptions.systemClock
  ) throws(RulesError) {
    self = try ConfigurationLoader(limits: limits, clock: clock).load(file: file).configuration
  }

  /// Whether a configuration lies at a path.
  public static func isPresent(at path: String) -> Bool {
    Files.entry(path) == .file
  }

  /// `$XDG_CONFIG_HOME/starling/init.lua` (XDG Base Directory Specification: an empty or relative
  /// path counts as unset); nil when there is no home either.
  ///
  /// - Parameter variable: gives the value of an environment variable.
  public static func defaultPath(variable: (String) -> String?) -> String? {
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return Files.join(folder, "starling/init.lua")
    }
    guard let home = variable("HOME"), !home.isEmpty else { return nil }
    return Files.join(home, ".config/starling/init.lua")
  }
}
