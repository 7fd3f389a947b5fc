public import StarlingFavorites
import StarlingFetch
public import StarlingModel

/// What an app or the command embeds: plugins, rules, scripts and the store of one user.
///
/// A host is synchronous and has one owner: an actor may hold it, or the main actor. It runs Lua in
/// states of its own, one for each plugin, one for the rules, one for each script; several hosts in
/// one process do not meet. Nothing is opened or run before it is needed.
public final class Host {
  /// What a host works with.
  public struct Configuration {
    /// Where the favorites are.
    public var database: FavoritesStore.Location
    /// The folders that plugins are looked for in; an earlier one wins.
    public var pluginFolders: [String]
    /// The app's own kinds, beside those of the plugins and under the same rules: they come first,
    /// and a plugin that contradicts them is refused.
    public var kinds: [KindDeclaration]
    /// The app's own functions.
    var appFunctions: [ApiFunction] = []
    /// For each call of a plugin and each run of the rules.
    public var limits: Limits
    public var scriptLimits: Limits
    /// Seconds that an entity is kept after a feed last had it.
    public var keepSeconds: Int64
    public var clock: () -> Timestamp
    /// Takes what Lua code logs.
    public var log: (LogLine) -> Void
    /// Told how far opening and migrating the database is.
    public var progress: (StoreStep) -> Void = { _ in }
    /// Sent with requests, after `starling/`.
    public var version: String
    /// Gives the next piece of standard input, of at most so many bytes: empty at its end, nil when
    /// none came within a fraction of a second.
    package var standardInput: (_ most: Int) throws(HostError) -> [UInt8]? = Files.readInput

    public init(
      database: FavoritesStore.Location, pluginFolders: [String] = [],
      kinds: [KindDeclaration] = [], limits: Limits = .plugin, scriptLimits: Limits = .script,
      keepSeconds: Int64 = 90 * 86400,
      clock: @escaping () -> Timestamp = StoreOptions.systemClock,
      log: @escaping (LogLine) -> Void = { _ in }, version: String = "0"
    ) {
      self.database = database
      self.pluginFolders = pluginFolders
      self.kinds = kinds
      self.limits = limits
      self.scriptLimits = scriptLimits
      self.keepSeconds = keepSeconds
      self.clock = clock
      self.log = log
      self.version = version
    }
  }

  public let configuration: Configuration
  var loadedPlugins: PluginSet?
  /// The files of the plugins as `reloadChangedPlugins` last saw them.
  var pluginFiles = FileChanges()
  private var pluginsByPath: [PluginFile] = []
  private var openStore: FavoritesStore?
  private var openFetcher: Fetcher?

  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// The plugins, in the order in which they load; loaded at first use.
  public var plugins: [Plugin] { pluginSet.plugins }

  /// The kinds of the app and of all plugins that are used, merged.
  public var model: KindModel { pluginSet.model }

  var pluginSet: PluginSet {
    if let loadedPlugins { return loadedPlugins }
    var services = services
    services.health = health
    let set = PluginSet(pluginFilesInUse, services: services, appKinds: configuration.kinds)
    loadedPlugins = set
    // One that was stopped while it loaded.
    services.health?.write(set.plugins.filter { !$0.meter.stops.isEmpty })
    return set
  }

  /// The plugins that are found, and those that were named by their path.
  var pluginFilesInUse: [PluginFile] {
    var files = PluginFile.find(in: configuration.pluginFolders)
    for file in pluginsByPath { files.put(file) }
    return files
  }

  /// The name of the plugin that a word means: its name, or the path of its file or folder. One at a
  /// path is used from here on, in place of one of its name.
  ///
  /// - Throws: when no plugin lies at the path. A name may be no plugin's.
  package func pluginName(_ word: String) throws(HostError) -> String {
    let files = pluginFilesInUse
    guard let file = try PluginFile(atPathOf: word, among: files) else { return word }
    if !files.contains(file) {
      pluginsByPath.put(file)
      forgetPlugins()
    }
    return file.name
  }

  /// Finds and loads the plugins anew at their next use.
  func forgetPlugins() { loadedPlugins = nil }

  var services: PluginServices {
    PluginServices(
      limits: configuration.limits, clock: configuration.clock, log: configuration.log,
      appFunctions: configuration.appFunctions)
  }

  /// The store, opened at first use. It knows the kinds of its file and of the app, and those of the
  /// plugins when these have been loaded.
  ///
  /// - Throws: `HostError` of kind `database`, also when the app's kinds contradict each other or the
  ///   file's.
  public func store() throws(HostError) -> FavoritesStore {
    if let openStore { return openStore }
    let options = StoreOptions(
      clock: configuration.clock, progress: configuration.progress,
      keepSeconds: configuration.keepSeconds)
    do throws(FavoritesError) {
      let model = if let loadedPlugins { loadedPlugins.model } else { try ownModel() }
      let store = try FavoritesStore(
        configuration.database, model: model, options: options)
      openStore = store
      return store
    } catch {
      throw HostError(error)
    }
  }

  /// The plugins as they are used with the database, if there is one: those whose kinds contradict
  /// it are refused too. Looking at plugins makes no database and adds no kinds to one.
  public var pluginsOfDatabase: [Plugin] {
    let set = pluginSet
    guard !set.isRegistered, let store = storeToLookAt() else { return plugins }
    if let conflicts = try? store.conflicts(of: set.declarations) { set.refuse(conflicts) }
    return plugins
  }

  private func storeToLookAt() -> FavoritesStore? {
    if let openStore { return openStore }
    guard case .file(let path) = configuration.database, Files.entry(path) != nil else {
      return nil
    }
    return try? FavoritesStore(
      configuration.database, model: KindModel(), options: StoreOptions(readOnly: true))
  }

  /// The store with the kinds of all plugins.
  ///
  /// A plugin whose kinds contradict the file's is refused; the others go on.
  public func storeWithPlugins() throws(HostError) -> FavoritesStore {
    let set = pluginSet
    if let conflict = set.appConflict { throw HostError(FavoritesError.kindConflict(conflict)) }
    let store = try store()
    if set.isRegistered { return store }
    do throws(FavoritesError) {
      let conflicts = try store.register(set.declarations)
      if let own = conflicts.first(where: { $0.plugin == PluginSet.app }) {
        throw FavoritesError.kindConflict(own)
      }
      set.refuse(conflicts)
    } catch {
      throw HostError(error)
    }
    loadedPlugins?.isRegistered = true
    return store
  }

  /// The app's kinds that need no plugin.
  private func ownModel() throws(FavoritesError) -> KindModel {
    var model = KindModel()
    let own = configuration.kinds.filter { $0.key != nil }
    do { try model.merge(own, from: PluginSet.app) } catch { throw .kindConflict(error) }
    return model
  }

  /// The store, with the plugins' kinds only when the file does not know the kind that is asked for.
  public func store(for kind: String) throws(HostError) -> FavoritesStore {
    let store = try store()
    return store.model[kind] == nil ? try storeWithPlugins() : store
  }

  var fetcher: Fetcher {
    if let openFetcher { return openFetcher }
    let fetcher = Fetcher(version: configuration.version)
    openFetcher = fetcher
    return fetcher
  }
}

@available(
  *, unavailable,
  message:
    "it has one owner: hold it in an actor, or hand it over as `sending` (see the guide Tasks)"
)
extension Host: Sendable {}

extension HostError {
  /// The store's error as the host reports it.
  init(_ error: FavoritesError) {
    self.init(.database, error.description, cause: error)
  }
}
