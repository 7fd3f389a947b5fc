import StarlingModel

extension Host {
  /// Maps a feed with a plugin and shows what became of each item, without a store. The plugin is
  /// loaded anew.
  ///
  /// - Parameters:
  ///   - input: where the document is, and what is known of it.
  ///   - plugin: a plugin's name, or the path of its file or folder.
  ///   - show: gets what became of the items, in the order of the feed.
  public func preview(
    _ input: FeedInput, plugin: String, show: @escaping (PreviewEvent) -> Void
  ) throws(HostError) -> LoadReport {
    let bench = try PluginBench(self, names: [plugin])
    guard let plugin = bench.plugins.first else { return LoadReport(plugin: plugin, source: "") }
    if let refusal = plugin.refusal { throw refusal }
    try plugin.currentSession().isTracing = true
    let model = bench.set.model
    var mapper: FeedMapper?
    try unsafe read(
      input,
      start: { head throws(HostError) in
        mapper = FeedMapper(
          input, url: head.url, contentType: head.contentType, candidates: [plugin],
          isNamed: true, kindNamed: { model[$0] },
          take: { kind, record, origin in
            show(.entity(record.entity(kind: kind), kind, item: origin.place))
          })
        mapper?.observe = { event in
          switch event {
          case .leftOut(let place, let reason, let location):
            show(.leftOut(reason: reason, item: place, location: location))
          case .notAccepted: show(.notAccepted(plugin: plugin.name))
          case .failed(let failure): show(.failure(failure))
          }
        }
        mapper?.asksNamed = true
      },
      piece: { bytes throws(HostError) in try unsafe mapper?.append(bytes) })
    try mapper?.finish()
    return LoadReport(mapper?.report ?? FeedMapper.Report(), source: input.name)
  }

  /// The folders and files whose change changes what a plugin does; of a refused one too.
  package func pluginPaths(_ name: String) throws(HostError) -> [String] {
    let bench = try PluginBench(self, names: [name])
    guard let file = bench.plugins.first?.file else { return [] }
    guard let folder = file.folder else { return [file.path] }
    return [folder] + Files.folders(below: folder)
  }

  /// The document itself in place of an address or standard input, to be looked at more than once.
  package func kept(_ input: FeedInput) throws(HostError) -> FeedInput {
    if case .file = input.origin { return input }
    let document = try whole(input)
    var kept = input
    kept.origin = .bytes(document.bytes, name: input.name)
    kept.url = input.url ?? document.head.url
    kept.contentType = input.contentType ?? document.head.contentType
    return kept
  }
}

extension FeedInput {
  /// The files that say what it is: its own, and the options beside it, which need not be there.
  package var paths: [String] {
    guard case .file(let path) = origin else { return [] }
    let fixture = PluginFixture(folder: Files.folder(path), file: Files.name(path))
    return [path, fixture.optionsPath]
  }

  /// The input as a `CASE.options.json` beside its file says; what the input says itself goes
  /// before.
  package func asFixture() throws(HostError) -> FeedInput {
    guard case .file(let path) = origin else { return self }
    let fixture = PluginFixture(folder: Files.folder(path), file: Files.name(path))
    let said: PluginFixture.Options
    do throws(FixtureFault) { said = try fixture.options() } catch {
      throw HostError(.host, error.message)
    }
    var input = self
    input.url = url ?? said.url
    input.site = site ?? said.site
    input.contentType = contentType ?? said.contentType
    input.charset = charset ?? said.charset
    input.options = said.options.merging(options) { _, given in given }
    return input
  }
}
