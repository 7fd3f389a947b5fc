import StarlingFeeds
import StarlingModel

/// One input in a plugin's `fixtures` folder, beside what it must give.
struct PluginFixture {
  /// What `CASE.options.json` says; all of it may be left out.
  struct Options {
    var url: String?
    var site: String?
    var contentType: String?
    var charset: String?
    /// Whether the plugin's `accepts` takes it.
    var isAccepted = true
    var options: [String: OptionValue] = [:]
  }

  let folder: String
  /// The name of the input: `CASE.EXT`.
  let file: String

  private static let expectedSuffix = ".expected.jsonl"
  private static let optionsSuffix = ".options.json"

  var path: String { Files.join(folder, file) }
  var expectedPath: String { Files.join(folder, stem + PluginFixture.expectedSuffix) }
  var optionsPath: String { Files.join(folder, stem + PluginFixture.optionsSuffix) }

  private var stem: String {
    file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }

  /// The inputs of a folder by name.
  static func all(in folder: String) -> [PluginFixture] {
    inputs(in: folder).map { PluginFixture(folder: folder, file: $0) }
  }

  /// What is expected and said of inputs that are not there.
  static func orphans(in folder: String) -> [String] {
    let stems = Set(all(in: folder).map(\.stem))
    return (Files.names(in: folder) ?? []).filter { name in
      guard let suffix = [expectedSuffix, optionsSuffix].first(where: name.hasSuffix) else {
        return false
      }
      return !stems.contains(String(name.dropLast(suffix.count)))
    }
  }

  private static func inputs(in folder: String) -> [String] {
    (Files.names(in: folder) ?? []).filter { name in
      !name.hasSuffix(expectedSuffix) && !name.hasSuffix(optionsSuffix) && !isAside(name)
        && Files.entry(Files.join(folder, name)) == .file
    }
  }

  /// Notes of the author, and what an editor leaves beside a file.
  private static func isAside(_ name: String) -> Bool {
    [".md", ".txt", "~", ".bak", ".orig", ".swp", ".swo", ".tmp"].contains(where: name.hasSuffix)
      || name.hasPrefix(".") || name.hasPrefix("#")
  }

  func input(_ options: Options) throws(HostError) -> FeedInput {
    FeedInput(
      .bytes(try Files.read(path), name: path), url: options.url,
      contentType: options.contentType, charset: options.charset, site: options.site,
      options: options.options)
  }

  /// - Returns: nil when there is no file of what is expected.
  func expectation() throws(FixtureFault) -> FixtureExpectation? {
    guard Files.entry(expectedPath) != nil else { return nil }
    let bytes: [UInt8]
    do throws(HostError) { bytes = try Files.read(expectedPath) } catch {
      throw FixtureFault(message: error.description)
    }
    do throws(FixtureFault) { return try FixtureExpectation(parsing: bytes) } catch {
      throw FixtureFault(message: "\(expectedPath): \(error.message)")
    }
  }

  /// - Throws: for a name that is none of the options, with the nearest one, and for a value that one
  ///   cannot have.
  func options() throws(FixtureFault) -> Options {
    var options = Options()
    guard Files.entry(optionsPath) != nil else { return options }
    let document: JSONDocument
    do {
      document = try JSONDocument.parsing(try Files.read(optionsPath))
    } catch let error as FeedError {
      throw FixtureFault(message: "\(optionsPath): \(error.description)")
    } catch {
      throw FixtureFault(message: String(describing: error))
    }
    do throws(FixtureFault) {
      try options.read(document)
    } catch {
      throw FixtureFault(message: "\(optionsPath): \(error.message)")
    }
    return options
  }
}
