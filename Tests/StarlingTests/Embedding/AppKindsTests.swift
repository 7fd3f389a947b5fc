import Starling
import Testing

private struct Person: FavoriteEntity {
  static let kind = "person"
  static let key = Kind.KeyRule.auto
  var key: String?
  var name: String
  var age: Int
}

/// Kinds that an app declares in Swift, in a host beside those of plugins.
@Suite struct AppKindsTests {
  private let folder = TemporaryFolder()

  private func plugin(_ name: String, _ kinds: String) {
    let source = """
      --- @api 1
      --- @summary Test
      local M = {}
      M.kinds = { \(kinds) }
      function M.map(item) return item end
      return M
      """
    folder.write(name + ".lua", Array(source.utf8))
  }

  private func host(_ declare: (inout Host.Configuration) throws -> Void) throws -> Host {
    var configuration = Host.Configuration(database: .memory, pluginFolders: [folder.path])
    try declare(&configuration)
    return Host(configuration)
  }

  @Test("a host without plugins has them, in Swift and in Lua")
  func alone() throws {
    let host = try host { try $0.declare([Person.self]) }
    let key = try host.store().insert(Person(name: "Ada", age: 36)).key
    var output = ""
    let io = ScriptIO(write: { piece in
      output += String(decoding: piece, as: UTF8.self)
      return true
    })
    try host.run(
      Script([.code("print(favorites.get('person', arg[1]).age)")], arguments: [key]), io: io)
    #expect(output == "36\n")
    #expect(host.annotations.contains("---@class starling.kind.person"))
  }

  @Test("a plugin may share an app's kind and add to it")
  func merged() throws {
    plugin("more", "person = { key = 'auto', fields = { nick = 'text' } }")
    plugin("share", "'person'")
    let host = try host { try $0.declare([Person.self]) }
    let fields = try host.storeWithPlugins().model["person"]?.fields.map(\.name)
    #expect(fields == ["name", "age", "nick"])
    #expect(host.plugins.allSatisfy { $0.refusal == nil })
    #expect(host.model.declarer(ofKind: "person") == "the app")
  }

  @Test("a plugin that contradicts the app is refused alone, with both and the field named")
  func conflict() throws {
    plugin("bad", "person = { key = 'auto', fields = { age = 'text' } }")
    plugin("good", "thing = { key = 'id', fields = { id = 'text' } }")
    let host = try host { try $0.declare([Person.self]) }
    let bad = try #require(host.plugins.first { $0.name == "bad" }?.refusal)
    #expect(bad.message.contains("age") && bad.message.contains("the app"))
    #expect(host.plugins.first { $0.name == "good" }?.refusal == nil)
    #expect(try host.storeWithPlugins().model["thing"] != nil)
  }

  @Test("an app may add to a plugin's kind without its key, whoever loads first")
  func sharing() throws {
    plugin("things", "thing = { key = 'id', fields = { id = 'text' } }")
    let host = try host {
      $0.kinds = [KindDeclaration("thing", fields: [Field("weight", .real)])]
    }
    #expect(try host.store().model["thing"] == nil)
    let fields = try host.storeWithPlugins().model["thing"]?.fields.map(\.name)
    #expect(fields.map(Set.init) == ["id", "weight"])
  }

  @Test("an app's kinds that contradict each other are an error of the store")
  func broken() throws {
    let host = try host {
      $0.kinds = [
        KindDeclaration("a", key: .auto, fields: [Field("x", .text)]),
        KindDeclaration("a", key: .auto, fields: [Field("x", .real)]),
      ]
    }
    for open in [host.store, host.storeWithPlugins] {
      let error = #expect(throws: HostError.self) { _ = try open() }
      #expect(error?.kind == .database && error?.message.contains("x") == true)
    }
  }

  @Test("an app is told of feeds and files in its own words, not in those of the command")
  func words() throws {
    let feed = FeedInput(.bytes(Array("[{}]".utf8), name: "f.json"))
    func fault(_ host: Host) -> String {
      do throws(HostError) {
        _ = try host.load(feed)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(
      fault(Host(Host.Configuration(database: .memory)))
        == "f.json: no plugin accepts this json feed; there are no plugins: name their folder in the"
        + " configuration")
    plugin("things", "thing = { key = 'id', fields = { id = 'text' } }")
    let others = fault(try host { _ in })
    #expect(others.hasSuffix("; name one (things)"), "\(others)")
    let folder = Host(Host.Configuration(database: .file("/etc/passwd")))
    let store = #expect(throws: HostError.self) { try folder.store() }
    #expect(store?.description == "/etc/passwd: this is no SQLite database; open another file")
    let rules = #expect(throws: RulesError.self) { try folder.rulesInForce(file: "none.lua") }
    #expect(rules?.description.hasSuffix("; open another file") == true)
  }
}
