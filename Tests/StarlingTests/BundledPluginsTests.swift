import StarlingFeeds
import StarlingModel
import Testing

@testable import Starling

#if canImport(Glibc)
  import Glibc
#endif

/// The plugins that ship, over their own fixtures. `UPDATE_GOLDEN=1 swift test` rewrites what is
/// expected.
@Suite struct BundledPluginsTests {
  static let folder = packageFolder + "/plugins"
  static let names = ["car-series", "forum", "news"]

  let set = PluginSet(PluginFile.find(in: [folder]), services: testServices)

  @Test("all bundled plugins load, and their kinds are one model")
  func loads() {
    #expect(set.plugins.map(\.name) == Self.names)
    #expect(set.plugins.compactMap { $0.refusal?.description } == [])
    #expect(
      Swift.Set(set.model.kinds.map(\.name))
        == ["car_series", "car_type", "forum", "news", "post"])
  }

  @Test("a fixture gives its entities, and no other plugin takes it", arguments: BundledFixture.all)
  func mapsFixtures(_ fixture: BundledFixture) throws {
    let options = try fixture.options()
    let mapped = try map(
      fixture.input, set: set, named: options.isAccepted ? nil : fixture.plugin,
      url: options.url, site: options.site, options: options.options)
    #expect(mapped.report.plugin == fixture.plugin)
    #expect(mapped.report.failures.map(\.error.description) == [])
    let lines = fixture.lines(of: mapped, model: set.model)
    if getenv("UPDATE_GOLDEN") != nil { fixture.write(expected: lines) }
    #expect(lines == fixture.expected)
    for plugin in set.plugins where plugin.name != fixture.plugin && options.isAccepted {
      #expect(throws: HostError.self) {
        try map(
          fixture.input, set: set, asking: [plugin.name], url: options.url, site: options.site,
          options: options.options)
      }
    }
  }

  @Test("one forum of one site is one entity, whatever its id is called and whether it is a number")
  func keepsForumsOne() throws {
    let shapes = [
      #"{"forums":[{"forumId":5,"title":"EV"}]}"#, #"{"forums":[{"forum_id":"5","name":"EV"}]}"#,
      #"[{"id":5,"title":"EV"}]"#, #"[{"id":"5","title":"EV"}]"#,
      #"{"data":[{"fid":"5","name":"EV"}]}"#,
      #"{"category_list":{"categories":[{"id":5,"name":"EV","slug":"ev"}]}}"#,
      #"{"categories":[{"cid":5,"name":"EV","slug":"5/ev"}]}"#,
    ]
    for shape in shapes {
      let mapped = try map(
        Array(shape.utf8), set: set, named: "forum", url: "https://a.example/api/forums")
      #expect(mapped.entities.map { "\($0.kind) \($0.key)" } == ["forum a.example/5"], "\(shape)")
    }
    let other = try map(
      Array(shapes[0].utf8), set: set, named: "forum", url: "https://b.example/api/forums")
    #expect(other.entities.map(\.key) == ["b.example/5"])
  }

  @Test("a list of bare ids is refused with what to load in its place")
  func refusesBareIds() throws {
    let error = #expect(throws: HostError.self) { try map(Array("[8863, 8864]".utf8), set: set) }
    #expect(error?.description.contains("v0/item/8863.json") == true)
  }
}

/// One input beside what it must give.
struct BundledFixture: CustomTestStringConvertible {
  struct Options {
    var url: String?
    var site: String?
    var isAccepted = true
    var options: [String: OptionValue] = [:]
  }

  let plugin: String
  let file: String

  var testDescription: String { plugin + "/" + file }

  private var path: String { "\(BundledPluginsTests.folder)/\(plugin)/fixtures/\(file)" }
  private var stem: String { String(path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex)) }

  static let all: [BundledFixture] = BundledPluginsTests.names.flatMap { plugin in
    files(in: "\(BundledPluginsTests.folder)/\(plugin)/fixtures")
      .filter { !$0.hasSuffix(".options.json") && !$0.hasSuffix(".expected.jsonl") }
      .map { BundledFixture(plugin: plugin, file: $0) }
  }

  var input: [UInt8] { Self.read(path) ?? [] }

  var expected: [String] { Self.lines(stem + ".expected.jsonl") }

  func write(expected lines: [String]) { Self.write(stem + ".expected.jsonl", lines) }

  static func lines(_ path: String) -> [String] {
    String(decoding: read(path) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  static func write(_ path: String, _ lines: [String]) {
    let text = Array(lines.map { $0 + "\n" }.joined().utf8)
    guard let stream = fopen(path, "wb") else { return }
    fwrite(text, 1, text.count, stream)
    fclose(stream)
  }

  /// The entities as `--json` prints them, then what was left out.
  func lines(of mapped: Mapped, model: KindModel) -> [String] {
    var lines: [String] = []
    for entity in mapped.entities {
      guard let kind = model[entity.kind] else { continue }
      var writer = JSONWriter()
      writer.entity(entity, kind: kind)
      lines.append(String(decoding: writer.bytes, as: UTF8.self))
    }
    for (reason, count) in mapped.report.leftOut.sorted(by: { $0.key < $1.key }) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("left_out", reason)
      writer.name("count")
      writer.integer(Int64(count))
      writer.endObject()
      lines.append(String(decoding: writer.bytes, as: UTF8.self))
    }
    return lines
  }

  func options() throws -> Options {
    guard let bytes = Self.read(stem + ".options.json") else { return Options() }
    let document = try bytes.withUnsafeBytes { try JSONDocument(parsing: $0) }
    var options = Options()
    options.url = document.member(document.root, "url").map(document.string)
    options.site = document.member(document.root, "site").map(document.string)
    options.isAccepted =
      document.member(document.root, "accepts").map(document.boolean) ?? options.isAccepted
    guard let members = document.member(document.root, "options") else { return options }
    var next = document.firstChild(members)
    while let key = next, let value = document.nextSibling(key, in: members) {
      options.options[document.string(key)] =
        switch document.kind(value) {
        case .boolean: .boolean(document.boolean(value))
        case .integer: .integer(document.integer(value))
        default: .text(document.string(value))
        }
      next = document.nextSibling(value, in: members)
    }
    return options
  }

  private static func files(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  static func read(_ path: String) -> [UInt8]? {
    guard let stream = fopen(path, "rb") else { return nil }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
    }
  }
}
