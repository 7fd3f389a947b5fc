import StarlingFeeds
import StarlingLua
import StarlingModel

/// The sources of a user: those of `init.lua`, of the OPML files that it names, and of
/// `sources.opml` beside it, which `sources add` writes.
public struct SourceList: Sendable {
  public private(set) var sources: [FeedSource] = []
  /// What could not be read, a line each; the other sources are there.
  public private(set) var problems: [String] = []
  /// The file that `add` and `remove` write.
  public let ownFile: String
  /// The OPML files that are or would be read, that one among them.
  package private(set) var files: [String] = []

  /// - Parameters:
  ///   - configuration: what `init.lua` says; nil without one.
  ///   - folder: the folder of `init.lua`, whether it exists or not.
  public init(_ configuration: UserConfiguration?, folder: String) {
    ownFile = Files.join(folder, "sources.opml")
    for source in configuration?.sources ?? [] { take(source) }
    var files = (configuration?.sourceFiles ?? []).map {
      $0.hasPrefix("/") ? $0 : Files.join(folder, $0)
    }
    let hasOwn = files.contains(ownFile) || Files.entry(ownFile) == .file
    if !files.contains(ownFile) { files.append(ownFile) }
    for file in files where hasOwn || file != ownFile { read(file) }
    self.files = files
  }

  /// The source of a name.
  ///
  /// - Throws: when there is none, with the nearest one.
  public func source(named name: String) throws(HostError) -> FeedSource {
    if let source = sources.first(where: { $0.name == name }) { return source }
    let names = sources.map(\.name)
    let advice =
      Spelling.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
      ?? (names.isEmpty
        ? "there are none; add one with `starling sources add URL`"
        : "there are \(names.joined(separator: ", "))")
    throw HostError(.host, "no such source; \(advice)", subject: "source \(name)")
  }

  private mutating func take(_ source: UserConfiguration.Source) {
    var made = FeedSource(
      name: source.name, url: source.url, plugin: source.plugin,
      everySeconds: source.everySeconds, origin: .configuration(source.location))
    made.charset = source.charset
    made.site = source.site
    if case .table(let options) = source.options {
      for (key, value) in options {
        guard case .string(let name) = key, let option = OptionValue(value) else {
          problems.append(
            "\(source.location): source \"\(source.name)\": options have names, and texts, numbers"
              + " or booleans for values")
          continue
        }
        made.options[name] = option
      }
    }
    sources.append(made)
  }

  private mutating func read(_ file: String) {
    do throws(HostError) {
      guard let list = OutlineReader.read(try Files.read(file, limitBytes: 64 << 20)) else {
        problems.append("\(file): this is no outline (OPML)")
        return
      }
      for feed in list.feeds { take(feed, file) }
    } catch {
      problems.append(error.description)
    }
  }

  private mutating func take(_ feed: Subscription, _ file: String) {
    if sources.contains(where: { $0.url == feed.url }) { return }
    let name = feed.title ?? feed.url
    let isTaken = sources.contains { $0.name == name }
    var made = FeedSource(
      name: isTaken ? feed.url : name, url: feed.url, plugin: feed.plugin,
      origin: .outline(file: file, line: feed.line))
    if let every = feed.every {
      made.everySeconds = Moment.seconds(parsing: every)
      if made.everySeconds == nil {
        problems.append("\(file):\(feed.line): a time is written as in \"30m\", not \"\(every)\"")
      }
    }
    sources.append(made)
  }
}

// MARK: - Changing

extension SourceList {
  /// Adds a source to `sources.opml`, which is made when there is none.
  ///
  /// - Parameter url: an address of the web; or the path of a file, which is kept whole, so that it is
  ///   found from any folder.
  /// - Throws: when it is neither, when the name or the URL is one of the list, or the file cannot be
  ///   written.
  public mutating func add(
    url: String, name: String, plugin: String? = nil, every: String? = nil
  ) throws(HostError) -> FeedSource {
    let url = try SourceList.address(url)
    if let known = sources.first(where: { $0.name == name || $0.url == url }) {
      throw HostError(
        .host, "it is there already, as \"\(known.name)\" (\(known.origin))", subject: url)
    }
    if let every, Moment.seconds(parsing: every) ?? 0 == 0 {
      throw HostError(.host, "a time is written as in \"30m\", not \"\(every)\"", subject: url)
    }
    let bytes =
      Files.entry(ownFile) == .file
      ? try Files.read(ownFile, limitBytes: 64 << 20) : nil
    var feed = Subscription(line: 1, url: url, title: name)
    feed.plugin = plugin
    feed.every = every
    guard let written = OutlineWriter.adding(feed, to: bytes) else {
      throw HostError(.host, "this is no outline (OPML); mend or remove it", subject: ownFile)
    }
    try Files.makeFolders(Files.folder(ownFile))
    try Files.replace(Files.resolved(ownFile) ?? ownFile, with: written)
    read(ownFile)
    return try source(named: name)
  }

  private static func address(_ word: String) throws(HostError) -> String {
    let origin = FeedInput(argument: word).origin
    if case .url = origin { return word }
    guard case .file(let path) = origin, Files.entry(path) == .file,
      let whole = Files.resolved(path)
    else {
      throw HostError(
        .host, "neither a URL that begins with http:// or https:// nor a file that is there",
        subject: word)
    }
    return whole
  }

  /// Takes a source out of `sources.opml`. What it brought stays.
  ///
  /// - Throws: when there is none, or when it stands in another file, which is named.
  public mutating func remove(_ name: String) throws(HostError) {
    let source = try source(named: name)
    guard case .outline(ownFile, _) = source.origin else {
      throw HostError(
        .host, "it is written in \(source.origin); take it out there", subject: "source \(name)")
    }
    let bytes = try Files.read(ownFile, limitBytes: 64 << 20)
    guard let written = OutlineWriter.removing(url: source.url, from: bytes) else {
      throw HostError(.host, "this is no outline (OPML); mend or remove it", subject: ownFile)
    }
    try Files.replace(Files.resolved(ownFile) ?? ownFile, with: written)
    sources.removeAll { $0.name == name }
  }
}

extension OptionValue {
  fileprivate init?(_ value: LuaValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .real(number)
    case .boolean(let flag): self = .boolean(flag)
    default: return nil
    }
  }
}
