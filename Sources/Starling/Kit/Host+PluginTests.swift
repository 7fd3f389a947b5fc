public import StarlingModel

extension Host {
  /// What a plugin sees as now while its fixtures run: 2027-01-15T08:00:00Z.
  public static let fixtureTime = Timestamp(secondsSinceEpoch: 1_800_000_000)

  /// Runs the fixtures of plugins: each input in a fresh Lua state, with a fixed clock and without
  /// a store.
  ///
  /// - Parameters:
  ///   - names: names of plugins, or paths of their files or folders; empty for all.
  ///   - update: rewrites what is expected of an input that gives something else.
  /// - Throws: when there is no plugin of a name. A plugin that is refused has a report.
  public func testPlugins(
    _ names: [String] = [], update: Bool = false
  ) throws(HostError) -> [PluginTestReport] {
    let bench = try PluginBench(self, names: names, clock: { Host.fixtureTime })
    return bench.plugins.map { bench.test($0, update: update) }
  }
}

extension PluginBench {
  /// Runs the fixtures of one of its plugins.
  func test(_ plugin: Plugin, update: Bool) -> PluginTestReport {
    var report = PluginTestReport(plugin: plugin.name, path: plugin.path)
    report.refusal = plugin.refusal
    guard plugin.refusal == nil, let folder = plugin.file.folder else { return report }
    let fixtures = Files.join(folder, "fixtures")
    for name in PluginFixture.orphans(in: fixtures) {
      report.faults.append("\(Files.join(fixtures, name)): its input is not there")
    }
    report.results = PluginFixture.all(in: fixtures).map { fixture in
      FixtureRun(bench: self, plugin: plugin, fixture: fixture, isUpdate: update).result()
    }
    return report
  }
}
