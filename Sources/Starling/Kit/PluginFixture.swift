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

  /// What is expected of inputs that are not there.
  static func orphans(in folder: String) -> [String] {
    let stems = Set(all(in: folder).map(\.stem))
    return (Files.names(in: folder) ?? []).filter { name in
      guard name.hasSuffix(expectedSuffix) else { return false }
      return !stems.contains(String(name.dropLast(expectedSuffix.count)))
    }
  }

  private static func inputs(in folder: String) -> [String] {
    (Files.names(in: folder) ?? []).filter { name in
      !name.hasSuffix(expectedSuffix) && !name.hasSuffix(optionsSuffix)
        && Files.entry(Files.join(folder, name)) == .file
    }
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

  /// - Throws: for a name that is none of the options, with the nearest one.
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
    var unknown: String?
    document.forEachMember(of: document.root) { name, value in
      switch name {
      case "url": options.url = document.string(value)
      case "site": options.site = document.string(value)
      case "content_type": options.contentType = document.string(value)
      case "charset": options.charset = document.string(value)
      case "accepts": options.isAccepted = document.boolean(value)
      case "options": options.options = OptionValue.members(of: value, document)
      default: unknown = unknown ?? name
      }
    }
    if let unknown { throw FixtureFault(message: "\(optionsPath): \(advice(unknown))") }
    return options
  }

  private func advice(_ name: String) -> String {
    let known = ["url", "site", "content_type", "charset", "accepts", "options"]
    let hint = Spelling.nearest(to: name, among: known).map { "did you mean `\($0)`?" }
    return "there is no `\(name)`; " + (hint ?? "there are \(known.joined(separator: ", "))")
  }
}

extension OptionValue {
  fileprivate static func members(
    of object: JSONDocument.Node, _ document: JSONDocument
  ) -> [String: OptionValue] {
    var options: [String: OptionValue] = [:]
    document.forEachMember(of: object) { name, value in
      options[name] =
        switch document.kind(value) {
        case .boolean: .boolean(document.boolean(value))
        case .integer: .integer(document.integer(value))
        case .real: .real(document.real(value))
        default: .text(document.string(value))
        }
    }
    return options
  }
}
