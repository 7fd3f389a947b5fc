import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

/// A plugin's new text beside its old one.
@Suite struct PluginReloadTests {
  private let folder = TemporaryFolder()

  private static func text(
    _ title: String, field: String = "title", type: String = "text"
  ) -> String {
    """
    --- @api 1
    local M = {}
    M.kinds = { thing = { key = "id", fields = { id = "text", \(field) = "\(type)" } } }
    function M.accepts(feed) return feed.format == "json" end
    function M.map(item) return { id = item.id, \(field) = \(title) } end
    return M
    """
  }

  private func host() throws -> Host {
    folder.write("p/plugin.lua", Self.text("'old'"))
    folder.write("p/fixtures/a.json", #"[{"id":1}]"#)
    folder.write(
      "p/fixtures/a.expected.jsonl", #"{"kind":"thing","key":"1","id":"1","title":"old"}"#)
    let host = Host(Host.Configuration(database: .memory, pluginFolders: [folder.path]))
    #expect(try titles(host) == ["old"])
    return host
  }

  private func titles(_ host: Host) throws -> [String] {
    _ = try host.load(FeedInput(.bytes(Array(#"[{"id":1}]"#.utf8), name: "test")))
    let entity = try host.store().entity(kind: "thing", key: "1")
    guard case .text(let text)? = entity?.values["title"] else { return [] }
    return [text]
  }

  @Test("a text that passes its fixtures takes the old one's place")
  func swaps() throws {
    let host = try host()
    #expect(try host.reloadPlugins().isEmpty)
    folder.write("p/plugin.lua", Self.text("'new'"))
    folder.write(
      "p/fixtures/a.expected.jsonl", #"{"kind":"thing","key":"1","id":"1","title":"new"}"#)
    let changes = try host.reloadPlugins()
    #expect(changes.map(\.outcome) == [.swapped])
    #expect(changes.map(\.plugin) == ["p"])
    #expect(try titles(host) == ["new"])
  }

  @Test("a text that fails a fixture, does not compile, or loops is not used: the old one goes on")
  func keeps() throws {
    let host = try host()
    for (text, reason) in [
      (Self.text("'new'"), "a.json: it gives something else; see starling plugins test p"),
      (Self.text("item.x.y"), "a.json: item 1: "), ("--- @api 1\nreturn +", "plugin.lua:2: "),
      ("--- @api 2\n", "written for plugin API 2"),
    ] {
      folder.write("p/plugin.lua", text)
      let changes = try host.reloadPlugins()
      #expect(changes.map(\.outcome) == [.kept])
      #expect(changes.first?.reason?.contains(reason) == true, "\(changes)")
      #expect(try titles(host) == ["old"])
      #expect(host.plugins.map { $0.refusal?.description } == [nil])
    }
  }

  @Test("a module's change is a change; the old text keeps its old module")
  func modules() throws {
    folder.write("p/words.lua", "return { title = 'old' }")
    let host = try host()
    folder.write("p/plugin.lua", Self.text("require('words').title"))
    #expect(try host.reloadPlugins().map(\.outcome) == [.swapped])
    folder.write("p/words.lua", "return {")
    #expect(try host.reloadPlugins().map(\.outcome) == [.kept])
    host.plugins.first?.discardSession()
    #expect(try titles(host) == ["old"])
    folder.write("p/words.lua", "return { title = 'old', more = 1 }")
    #expect(try host.reloadPlugins().map(\.outcome) == [.swapped])
  }

  @Test("kinds that contradict the database's are not used")
  func contradicts() throws {
    let host = try host()
    folder.write("p/plugin.lua", Self.text("5", type: "integer"))
    folder.write(
      "p/fixtures/a.expected.jsonl", #"{"kind":"thing","key":"1","id":"1","title":5}"#)
    let changes = try host.reloadPlugins()
    #expect(changes.map(\.outcome) == [.kept])
    #expect(changes.first?.reason?.contains("field title") == true, "\(changes)")
    #expect(try titles(host) == ["old"])
  }

  @Test("a new plugin whose fixtures fail is refused with the reason, until they pass")
  func newAndFailing() throws {
    let host = try host()
    folder.write(
      "q/plugin.lua", Self.text("'q'").replacing("thing =", with: "other ="))
    folder.write("q/fixtures/a.json", #"[{"id":1}]"#)
    folder.write(
      "q/fixtures/a.expected.jsonl", #"{"kind":"other","key":"1","id":"1","title":"else"}"#)
    let changes = try host.reloadPlugins()
    #expect(changes.map(\.outcome) == [.refused])
    let listed = host.plugins.first { $0.name == "q" }?.refusal?.description
    #expect(listed?.contains("its fixtures do not pass: ") == true, "\(listed ?? "not refused")")
    #expect(try host.reloadPlugins().isEmpty)
    folder.write(
      "q/fixtures/a.expected.jsonl", #"{"kind":"other","key":"1","id":"1","title":"q"}"#)
    #expect(try host.reloadPlugins().map(\.plugin) == ["q"])
    #expect(host.plugins.map { $0.refusal?.description } == [nil, nil])
  }

  @Test("modules of one name in two plugins never meet")
  func modulesOfOneName() throws {
    for name in ["one", "two"] {
      folder.write(
        "\(name)/plugin.lua",
        """
        --- @api 1
        local words = require("words")
        local M = {}
        M.kinds = { \(name) = { key = "id", fields = { id = "text", title = "text" } } }
        function M.items(feed) return feed.body end
        function M.map(item)
          words.count = words.count + 1
          return { id = item.id, title = words.name .. words.count .. string.rep("x", 2) }
        end
        return M
        """)
      folder.write("\(name)/words.lua", "return { name = '\(name)', count = 0 }")
    }
    folder.write("one/other.lua", "return 'of one'")
    folder.write("one/words.lua", "return { name = 'one', count = 10 }")
    folder.write(
      "two/words.lua",
      "assert(not pcall(require, 'other')) assert(not pcall(require, 'one.words')) return { name = 'two', count = 0 }"
    )
    let host = Host(Host.Configuration(database: .memory, pluginFolders: [folder.path]))
    for name in ["one", "two", "one"] {
      let feed = FeedInput(.bytes(Array(#"[{"id":1}]"#.utf8), name: "test"))
      #expect(try host.load(feed, plugin: name).failureCount == 0)
    }
    let store = try host.store()
    #expect(try store.entity(kind: "one", key: "1")?.values["title"] == .text("one12xx"))
    #expect(try store.entity(kind: "two", key: "1")?.values["title"] == .text("two1xx"))
  }

  @Test("plugins that come and go are told")
  func comesAndGoes() throws {
    let host = try host()
    folder.write(
      "q.lua", Self.text("'q'").replacing("thing =", with: "other ="))
    folder.write("r.lua", "--- @api 1\nreturn +")
    #expect(try host.reloadPlugins().map(\.outcome) == [.added, .refused])
    #expect(host.plugins.map(\.name) == ["p", "q", "r"])
    #expect(try host.storeWithPlugins().model["other"] != nil)
    TemporaryFolder.remove(folder.path + "/q.lua")
    TemporaryFolder.remove(folder.path + "/r.lua")
    #expect(try host.reloadPlugins().map(\.outcome) == [.removed, .removed])
    #expect(host.plugins.map(\.name) == ["p"])
  }

  @Test("a host that lives long takes changed plugins over, and says once what it cannot use")
  func changed() throws {
    let host = try host()
    folder.write("p/words.lua", "return 1")
    #expect(try host.reloadChangedPlugins().map(\.outcome) == [.swapped])
    #expect(try host.reloadChangedPlugins().isEmpty)
    folder.write("p/plugin.lua", Self.text("'new'"))
    #expect(try host.reloadChangedPlugins().map(\.outcome) == [.kept])
    #expect(try host.reloadChangedPlugins().isEmpty)
    #expect(try titles(host) == ["old"])
    // The text was right, and its fixture is mended.
    folder.write(
      "p/fixtures/a.expected.jsonl", #"{"kind":"thing","key":"1","id":"1","title":"new"}"#)
    #expect(try host.reloadChangedPlugins().map(\.outcome) == [.swapped])
    #expect(try titles(host) == ["new"])
    folder.write("q.lua", Self.text("'q'").replacing("thing =", with: "other ="))
    #expect(try host.reloadChangedPlugins().map(\.outcome) == [.added])
    TemporaryFolder.remove(folder.path + "/q.lua")
    #expect(try host.reloadChangedPlugins().map(\.outcome) == [.removed])
  }

  @Test(
    "a quarantine ends in a running host: by a change of a module, and by a lift from elsewhere")
  func quarantine() throws {
    let loop = Self.text("(function() while require('words').loops do end return 'x' end)()")
    folder.write("plugins/p/plugin.lua", loop)
    folder.write("plugins/p/words.lua", "return { loops = true }")
    func makeHost() -> Host {
      Host(
        Host.Configuration(
          database: .file(folder.path + "/x.db"), pluginFolders: [folder.path + "/plugins"],
          limits: Limits(time: .milliseconds(500), memoryBytes: 32 << 20)))
    }
    func stop(_ host: Host) {
      for _ in 1...3 { #expect(throws: HostError.self) { try titles(host) } }
      #expect(host.plugins.map(\.isQuarantined) == [true])
    }
    let host = makeHost()
    stop(host)
    #expect(try host.reloadChangedPlugins().isEmpty)
    #expect(throws: HostError.self) { try titles(host) }
    #expect(try makeHost().liftQuarantine(of: "p"))
    #expect(try host.reloadChangedPlugins().map(\.outcome) == [.lifted])
    stop(host)
    folder.write("plugins/p/words.lua", "return {}")
    #expect(try host.reloadChangedPlugins().map(\.outcome) == [.swapped])
    #expect(try titles(host) == ["x"])
    #expect(makeHost().plugins.map(\.isQuarantined) == [false])
  }
}
