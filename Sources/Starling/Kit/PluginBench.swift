import StarlingModel

/// Plugins as their author looks at them: loaded anew, beside the kinds of all others, with no
/// store behind them.
struct PluginBench {
  /// What was asked for, in the order of asking; refused ones too.
  let plugins: [Plugin]
  let set: PluginSet

  /// - Parameters:
  ///   - names: names of plugins, or paths of their files or folders; empty for all that are found.
  ///   - clock: what the plugins see as now, and begin their random numbers with; nil for the host's.
  /// - Throws: when there is no plugin of a name, with the nearest one.
  init(
    _ host: Host, names: [String], clock: (() -> Timestamp)? = nil
  ) throws(HostError) {
    var files = PluginFile.find(in: host.configuration.pluginFolders)
    var wanted: [String] = []
    for name in names {
      guard let file = try PluginFile(atPathOf: name, among: files) else {
        wanted.append(name)
        continue
      }
      files.put(file)
      wanted.append(file.name)
    }
    var services = host.services
    if let clock {
      services.clock = clock
      services.randomSeed = clock().secondsSinceEpoch
    }
    let set = PluginSet(
      files, services: services, appKinds: host.configuration.kinds)
    self.set = set
    var plugins: [Plugin] = []
    for name in wanted { plugins.append(try set.plugin(named: name)) }
    self.plugins = names.isEmpty ? set.plugins : plugins
  }
}

extension PluginSet {
  /// - Throws: when there is none of this name, with the nearest one. A refused one is given.
  func plugin(named name: String) throws(HostError) -> Plugin {
    if let plugin = plugins.first(where: { $0.name == name }) { return plugin }
    let names = plugins.map(\.name)
    let advice =
      Spelling.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
      ?? (names.isEmpty
        ? "none were found; name their folder with --plugins DIR"
        : "there are \(names.joined(separator: ", "))")
    throw HostError(.plugin, "no such plugin; \(advice)", subject: "plugin \(name)")
  }
}
