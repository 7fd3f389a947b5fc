public import StarlingModel

extension Host {
  /// Maps a feed with a plugin and gives the entities, without a store.
  ///
  /// - Parameters:
  ///   - input: where the document is, and what is known of it.
  ///   - plugin: a plugin's name, or the path of its file or folder.
  ///   - show: gets each entity with its kind, in the order of the feed.
  public func preview(
    _ input: FeedInput, plugin: String, show: @escaping (Entity, Kind) -> Void
  ) throws(HostError) -> LoadReport {
    let bench = try PluginBench(self, names: [plugin])
    guard let plugin = bench.plugins.first else { return LoadReport(plugin: plugin, source: "") }
    if let refusal = plugin.refusal { throw refusal }
    let model = bench.set.model
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
}
