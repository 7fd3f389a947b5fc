import StarlingFavorites
import StarlingModel

/// The records of plugins in a store's file.
struct PluginHealth {
  let store: FavoritesStore
  let clock: () -> Timestamp

  /// What is kept of a plugin, whatever its text was then.
  func record(_ name: String) -> PluginRecord? {
    guard let text = try? store.setting(PluginHealth.setting(name)) else { return nil }
    return PluginRecord(parsing: text)
  }

  /// Why a plugin of this text is in quarantine, with the kinds that it had; nil when it is not.
  func quarantine(
    _ name: String, _ sources: PluginSources
  ) -> (error: HostError, declarations: [KindDeclaration])? {
    guard let record = record(name), let quarantine = record.quarantine,
      record.fingerprint == sources.fingerprint
    else { return nil }
    let kinds = record.kinds.compactMap { store.model[$0].map { KindDeclaration($0) } }
    return (PluginHealth.error(name, quarantine, path: sources.files.first?.path), kinds)
  }

  static func error(
    _ name: String, _ quarantine: PluginRecord.Quarantine, path: String?
  ) -> HostError {
    let since = Timestamp(secondsSinceEpoch: quarantine.since).description
    let error = HostError(
      .plugin,
      "in quarantine since \(since), after \(PluginRecord.strikesAllowed) stops in a row "
        + "(\(quarantine.reason)); it is used again when its file changes, or after",
      subject: path, plugin: name)
    return error.with(
      Remedy(
        library: " liftQuarantine(of: \"\(name)\")", command: ": starling plugins lift \(name)"))
  }

  /// Adds what plugins did to their records, in one write, and puts one in quarantine that was
  /// stopped too often. A file that cannot be written is no reason to fail.
  func write(_ plugins: [Plugin]) {
    let plugins = plugins.filter { !$0.meter.isEmpty }
    if plugins.isEmpty { return }
    try? store.transaction { () throws(FavoritesError) in
      for plugin in plugins { try write(plugin) }
    }
    for plugin in plugins { plugin.meter.reset() }
  }

  private func write(_ plugin: Plugin) throws(FavoritesError) {
    let fingerprint = plugin.sources.fingerprint
    let name = PluginHealth.setting(plugin.name)
    // Other processes may have written since it was last read.
    let kept = try store.setting(name).flatMap { PluginRecord(parsing: $0) }
    var record = PluginRecord(fingerprint: fingerprint)
    if let kept, kept.fingerprint == fingerprint { record = kept }
    record.add(plugin.meter, at: clock().secondsSinceEpoch)
    if !plugin.declarations.isEmpty { record.kinds = plugin.declarations.map(\.name) }
    try store.setSetting(name, record.text)
    guard let quarantine = record.quarantine, !plugin.isQuarantined else { return }
    plugin.quarantine(PluginHealth.error(plugin.name, quarantine, path: plugin.path))
  }

  /// Ends a quarantine.
  ///
  /// - Returns: whether there was one.
  func lift(_ name: String) throws(FavoritesError) -> Bool {
    try store.transaction { () throws(FavoritesError) in
      guard var record = record(name), record.quarantine != nil else { return false }
      record.quarantine = nil
      record.strikes = 0
      try store.setSetting(PluginHealth.setting(name), record.text)
      return true
    }
  }

  private static func setting(_ name: String) -> String { "plugin:" + name }
}
