public import StarlingModel

/// A plugin that was just written.
public struct NewPlugin: Sendable {
  public var name: String
  public var folder: String
  /// The kind that it declares, with its fields.
  public var kind: Kind
  /// Paths, in the order of writing.
  public var files: [String]
  /// The entities that its fixture gives.
  public var entityCount: Int
}

extension Host {
  /// Writes a plugin to begin with: its file, and a fixture that it passes.
  ///
  /// - Parameters:
  ///   - name: the plugin's name, for the first folder of plugins; or a path, whose last part is the
  ///     name.
  ///   - input: a feed whose items the plugin is to map; nil for an example.
  /// - Throws: when something lies there already, and when the feed gives nothing to map.
  public func newPlugin(
    _ name: String, from input: FeedInput? = nil
  ) throws(HostError) -> NewPlugin {
    let (name, folder) = try place(ofNew: name)
    let kind = newKind(name)
    var files: [(name: String, bytes: [UInt8])] = []
    if let input {
      let draft = try draft(kind: kind, input)
      files.append(("plugin.lua", Array(draft.sketch.text.utf8)))
      files.append(("fixtures/first.\(draft.inputExtension)", draft.input))
      if let options = draft.fixtureOptions {
        files.append(("fixtures/first.options.json", options))
      }
    } else {
      let sketch = PluginTemplate.sketch(name: name, kind: kind)
      files.append(("plugin.lua", Array(sketch.text.utf8)))
      files.append(("fixtures/articles.json", Array(PluginTemplate.input.utf8)))
      files.append(("fixtures/articles.options.json", Array(PluginTemplate.options.utf8)))
    }
    try Files.makeFolders(Files.join(folder, "fixtures"))
    for file in files { try Files.create(Files.join(folder, file.name), file.bytes) }
    var new = NewPlugin(
      name: name, folder: folder, kind: Kind(name: kind, key: .auto, fields: []),
      files: files.map { Files.join(folder, $0.name) }, entityCount: 0)
    try record(&new)
    return new
  }

  /// Writes what the fixture gives as what is expected.
  private func record(_ new: inout NewPlugin) throws(HostError) {
    let bench = try PluginBench(self, names: [new.folder + "/"], clock: { Host.fixtureTime })
    guard let plugin = bench.plugins.first else { return }
    if let refusal = plugin.refusal { throw refusal }
    if let kind = bench.set.model[new.kind.name] { new.kind = kind }
    let report = bench.test(plugin, update: true)
    for result in report.results {
      if let failure = result.failures.first { throw failure.error }
      if let fault = result.faults.first { throw HostError(.plugin, fault, plugin: new.name) }
    }
    for fixture in PluginFixture.all(in: Files.join(new.folder, "fixtures")) {
      new.files.append(fixture.expectedPath)
      let expected = try? fixture.expectation()
      new.entityCount += expected?.entities.count ?? 0
    }
  }

  private func place(ofNew name: String) throws(HostError) -> (name: String, folder: String) {
    let path = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    let last = Files.name(path)
    let isWord = last.utf8.allSatisfy {
      $0 == 0x5F || $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
        || (0x61...0x7A).contains($0)
    }
    guard isWord, !last.isEmpty, !last.hasPrefix("-") else {
      throw HostError(
        .plugin, "a plugin's name is made of letters, digits, - and _", subject: name)
    }
    var folder = path
    if !name.contains("/") {
      guard let first = configuration.pluginFolders.first else {
        throw HostError(.plugin, "name the folder of plugins with --plugins DIR", subject: name)
      }
      folder = Files.join(first, last)
      if let other = PluginFile.find(in: configuration.pluginFolders).first(where: {
        $0.name == last
      }) {
        throw HostError(
          .plugin, "there is a plugin of this name; choose another name or change that one",
          subject: other.path)
      }
    }
    for taken in [folder, folder + ".lua"] where Files.entry(taken) != nil {
      throw HostError(.plugin, "is there already, and nothing is overwritten", subject: taken)
    }
    return (last, folder)
  }

  /// The plugin's name as a kind's, unless another plugin has a kind of this name.
  private func newKind(_ name: String) -> String {
    var kind = PluginSketch.identifier(name, else: "item")
    while model[kind] != nil { kind += "_item" }
    return kind
  }

  private func draft(kind: String, _ input: FeedInput) throws(HostError) -> PluginDraft {
    let document = try whole(input)
    return try PluginDraft(
      kind: kind, document: document.bytes, input: input, url: document.head.url,
      contentType: document.head.contentType)
  }

  /// Reads a document whole, at most 256 MB.
  ///
  /// - Parameter isEnough: asked before each piece with what there is; true leaves the rest out.
  func whole(
    _ input: FeedInput, isCanceled: @escaping () -> Bool = { false },
    isEnough: ([UInt8]) -> Bool = { _ in false }
  ) throws(HostError) -> (bytes: [UInt8], head: FeedInput.Head) {
    var bytes: [UInt8] = []
    if case .file(let path) = input.origin, let size = Files.size(path) {
      bytes.reserveCapacity(min(size, 256 << 20))
    }
    var head = FeedInput.Head()
    try unsafe read(
      input, isCanceled: isCanceled,
      start: { found throws(HostError) in head = found },
      piece: { piece throws(HostError) in
        if isEnough(bytes) { return }
        guard bytes.count + piece.count <= 256 << 20 else {
          throw HostError(.feed, "longer than 256 MB", subject: input.name)
        }
        unsafe bytes.append(contentsOf: piece)
      })
    return (bytes, head)
  }
}

extension PluginDraft {
  /// What the fixture says of its input; nil when there is nothing to say.
  fileprivate var fixtureOptions: [UInt8]? {
    guard url != nil || contentType != nil else { return nil }
    var json = JSONWriter()
    json.beginObject()
    if let url { json.member("url", url) }
    if let contentType { json.member("content_type", contentType) }
    json.endObject()
    json.newline()
    return json.bytes
  }
}
