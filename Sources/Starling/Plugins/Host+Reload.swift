import StarlingFavorites
import StarlingModel

/// What became of one plugin when plugins were read again.
public struct PluginReload: Sendable {
  public enum Outcome: String, Sendable {
    /// Its new text is used.
    case swapped
    /// It was not there before.
    case added
    /// Its quarantine was lifted: the same text is used again.
    case lifted
    /// It is not there any more.
    case removed
    /// Its new text cannot be used, so that the old one goes on.
    case kept
    /// Its new text cannot be used, and there is no old one that could.
    case refused
  }

  public var plugin: String
  public var path: String
  public var outcome: Outcome
  /// Why the new text is not used.
  public var reason: String?
}

extension Host {
  /// Reads plugins again whose files changed. A changed plugin is loaded in a state of its own
  /// beside the old one and has its fixtures run; only when it passes does it take the old one's
  /// place.
  ///
  /// - Returns: the plugins whose text is another than before; the others go on as they are.
  public func reloadPlugins() throws(HostError) -> [PluginReload] {
    try reload(pluginFilesInUse)
  }

  /// The same where something changed since it was last called, for a host that lives long: before
  /// each round of loads, say. It costs a stat of each file of the plugins when nothing did.
  ///
  /// Other than `reloadPlugins` it says once only that a new text cannot be used: it is tried again
  /// when a file changes.
  public func reloadChangedPlugins() throws(HostError) -> [PluginReload] {
    let files = pluginFilesInUse
    let health = health
    let isLifted = plugins.contains { $0.isLifted(health) }
    guard pluginFiles.look(at: files.flatMap(\.parts)) || isLifted else { return [] }
    do throws(HostError) {
      return try reload(files)
    } catch {
      pluginFiles = FileChanges()
      throw error
    }
  }

  private func reload(_ files: [PluginFile]) throws(HostError) -> [PluginReload] {
    let old = pluginSet
    var reload = PluginReloading(old: old, host: self)
    reload.run(files)
    guard !reload.changes.isEmpty else { return [] }
    var set = reload.settled(
      PluginSet(
        plugins: reload.plugins.map(\.plugin), appKinds: configuration.kinds))
    if old.isRegistered {
      let store = try store()
      do throws(FavoritesError) {
        set.refuse(try store.register(set.declarations))
      } catch {
        throw HostError(error)
      }
      set = reload.settled(set)
      set.isRegistered = true
    }
    loadedPlugins = set
    return reload.changes
  }
}

extension Plugin {
  /// Whether it is in quarantine here and, after a lift elsewhere, no longer in the database.
  fileprivate func isLifted(_ health: PluginHealth?) -> Bool {
    guard isQuarantined, let health else { return false }
    return health.quarantine(name, sources) == nil
  }
}

/// Why a plugin is refused that loads and fails its fixtures.
private struct FixtureRefusal: Error {}

/// The plugins of a host on their way from old texts to new ones.
private struct PluginReloading {
  let old: PluginSet
  let host: Host
  private let services: PluginServices
  /// Each with the one that it is to replace.
  var plugins: [(plugin: Plugin, before: Plugin?)] = []
  var changes: [PluginReload] = []

  init(old: PluginSet, host: Host) {
    self.old = old
    self.host = host
    var services = host.services
    services.health = host.health
    self.services = services
  }

  mutating func run(_ files: [PluginFile]) {
    for file in files { take(file) }
    for plugin in old.plugins where !files.contains(where: { $0.name == plugin.name }) {
      changes.append(
        PluginReload(plugin: plugin.name, path: plugin.path, outcome: .removed, reason: nil))
    }
  }

  private mutating func take(_ file: PluginFile) {
    let before = old.plugins.first { $0.name == file.name }
    // A fixture may have been mended; it is no part of the plugin's text.
    if let before, before.path == file.path, !(before.refusal?.cause is FixtureRefusal),
      let sources = try? PluginSources.read(file),
      sources.fingerprint == before.sources.fingerprint
    {
      return takeAsItWas(before)
    }
    let fresh = Plugin(file, services: services)
    let usable = before.flatMap { $0.refusal == nil ? $0 : nil }
    guard let reason = fault(of: fresh) else {
      plugins.append((fresh, usable))
      note(fresh, before == nil ? .added : .swapped)
      return
    }
    if usable == nil, fresh.refusal == nil { refuse(fresh, reason) }
    plugins.append((usable ?? fresh, nil))
    if before?.refusal?.cause is FixtureRefusal, before?.refusal?.message == fresh.refusal?.message
    {
      return  // as it was
    }
    note(fresh, usable == nil ? .refused : .kept, reason)
  }

  /// Goes on with a plugin of the same text, in a new state when its quarantine was lifted.
  private mutating func takeAsItWas(_ plugin: Plugin) {
    guard plugin.isLifted(services.health) else { return plugins.append((plugin, nil)) }
    let fresh = Plugin(plugin.file, services: services)
    plugins.append((fresh, nil))
    note(fresh, fresh.refusal == nil ? .lifted : .refused, fresh.refusal?.description)
  }

  /// Takes a plugin out of use whose own fixtures say that it does not do what it should, where no
  /// earlier text of it can go on.
  private func refuse(_ plugin: Plugin, _ reason: String) {
    plugin.refusal = HostError(
      .plugin, "its fixtures do not pass: \(reason)", subject: plugin.path, plugin: plugin.name,
      cause: FixtureRefusal())
  }

  private mutating func note(
    _ plugin: Plugin, _ outcome: PluginReload.Outcome, _ reason: String? = nil
  ) {
    changes.append(
      PluginReload(plugin: plugin.name, path: plugin.path, outcome: outcome, reason: reason))
  }

  /// Why a new text cannot be used: it does not load, or a fixture fails.
  private func fault(of plugin: Plugin) -> String? {
    if let refusal = plugin.refusal { return refusal.description }
    let bench: PluginBench
    do throws(HostError) {
      bench = try PluginBench(
        host, names: [plugin.file.folder ?? plugin.path], clock: { Host.fixtureTime })
    } catch {
      return error.description
    }
    guard let tested = bench.plugins.first else { return nil }
    let report = bench.test(tested, update: false)
    if let refusal = report.refusal { return refusal.description }
    if let fault = report.faults.first { return fault }
    guard let failed = report.results.first(where: { $0.outcome == .failed }) else { return nil }
    let reason =
      failed.faults.first ?? failed.failures.first.map { failure in
        (failure.place > 0 ? "item \(failure.place): " : "") + failure.error.description
      } ?? "it gives something else; see starling plugins test \(plugin.name)"
    return "\(failed.path): \(reason)"
  }

  /// The set without the new texts whose kinds contradict others: their old ones go on.
  mutating func settled(_ set: PluginSet) -> PluginSet {
    var isChanged = false
    for (index, entry) in plugins.enumerated() {
      guard let before = entry.before, let refusal = entry.plugin.refusal else { continue }
      plugins[index] = (before, nil)
      isChanged = true
      for place in changes.indices where changes[place].plugin == before.name {
        changes[place].outcome = .kept
        changes[place].reason = refusal.description
      }
    }
    return isChanged
      ? PluginSet(
        plugins: plugins.map(\.plugin), appKinds: host.configuration.kinds) : set
  }
}
