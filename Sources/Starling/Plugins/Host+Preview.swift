public import StarlingModel

extension Host {
  /// Maps a feed with a plugin and gives the entities, without a store.
  ///
  /// - Parameters:
  ///   - plugin: a plugin's name, or the path of its file or folder.
  ///   - show: gets each entity with its kind, in the order of the feed.
  public func preview(
    _ input: FeedInput, plugin: String, show: @escaping (Entity, Kind) -> Void
  ) throws(HostError) -> LoadReport {
    let (plugin, model) = try previewed(plugin)
    var mapper: FeedMapper?
    try unsafe input.read(
      fetcher: { fetcher }, isCanceled: { false },
      start: { head throws(HostError) in
        mapper = FeedMapper(
          input, url: head.url, contentType: head.contentType, candidates: [plugin],
          isNamed: true, kindNamed: { model[$0] },
          take: { kind, record, _ in show(record.entity(kind: kind), kind) })
      },
      piece: { bytes throws(HostError) in try unsafe mapper?.append(bytes) })
    try mapper?.finish()
    return LoadReport(mapper?.report ?? FeedMapper.Report(), source: input.name)
  }

  /// A plugin of the usual folders, or one at a path, with the kinds that it may use.
  private func previewed(_ name: String) throws(HostError) -> (Plugin, KindModel) {
    guard name.contains("/") || name.hasSuffix(".lua") else {
      return (try plugin(named: name), model)
    }
    guard let file = PluginFile(path: name) else {
      throw HostError(
        .plugin, "no plugin there: a .lua file, or a folder with plugin.lua", subject: name)
    }
    let plugin = Plugin(file, services: services)
    if let refusal = plugin.refusal { throw refusal }
    var model = self.model
    do throws(KindConflict) {
      try model.merge(plugin.declarations, from: plugin.name)
    } catch {
      throw HostError(.plugin, error.description, subject: name, plugin: plugin.name, cause: error)
    }
    return (plugin, model)
  }
}
