import Glibc
import StarlingModel
import Testing

@testable import Starling

/// What `require` can reach, and what it cannot.
@Suite struct PluginSourcesTests {
  private static let kinds =
    "--- @api 1\nlocal M = { kinds = { thing = { key = 'id', fields = { id = 'text' } } } }\n"

  private func load(_ name: String, in folder: TemporaryFolder) -> Plugin? {
    PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
      .plugins.first { $0.name == name }
  }

  /// A plugin that requires one module when it is loaded.
  private func requiring(_ module: String, in folder: TemporaryFolder) -> Plugin? {
    folder.write(
      "p/plugin.lua",
      Self.kinds
        + "local module = require(\(module))\nfunction M.map() return { id = module.name } "
        + "end\nreturn M\n")
    return load("p", in: folder)
  }

  @Test(
    "require leaves no plugin's folder, whatever it is asked for",
    arguments: [
      "'../q/secret'", "'..secret'", "'/etc/passwd'", "'a/../../q/secret'", "'q.secret'", "'.'",
      "''", "'p\\0'", "'secret\\0.lua'", "'plugin'", "'fixtures.input'", "'linked'", "'out.secret'",
      "'string'", "'_G'", "'os'", "('x'):rep(100000)",
    ])
  func staysInside(_ module: String) {
    let folder = TemporaryFolder()
    folder.write("q/plugin.lua", Self.kinds + "return M\n")
    folder.write("q/secret.lua", "return { name = 'secret' }")
    folder.write("p/fixtures/input.lua", "return { name = 'input' }")
    symlink(folder.path + "/q/secret.lua", folder.path + "/p/linked.lua")
    symlink(folder.path + "/q", folder.path + "/p/out")
    let plugin = requiring(module, in: folder)
    #expect(plugin?.refusal?.message.contains("not found") == true, "\(plugin?.refusal as Any)")
  }

  @Test("modules of one name in two plugins are two, and what one writes the other never sees")
  func modulesNeverMeet() throws {
    let folder = TemporaryFolder()
    for name in ["one", "two"] {
      folder.write("\(name)/util.lua", "return { name = '\(name)' }")
      folder.write(
        "\(name)/deep/er.lua",
        "local util = require('util') util.count = (util.count or 0)"
          + " + 1 return util")
      folder.write(
        "\(name)/plugin.lua",
        """
        --- @api 1
        local M = { kinds = { thing_\(name) = { key = "id", fields = { id = "text" } } } }
        local util, deep = require("util"), require("deep.er")
        pcall(function() string.poison = util.name end)
        pcall(function() getmetatable("").__index = { poison = util.name } end)
        pcall(function() getmetatable("").__index.poison = util.name end)
        pcall(setmetatable, _G, { __index = { poison = util.name } })
        pcall(rawset, _G, "shared", util.name)
        local environment = { name = util.name }
        local inside = load("name = 'mine' return name", "=inside", "t", environment)()
        function M.map()
          assert(util == deep and util == require("util") and inside == "mine")
          assert(rawget(_G, "name") == nil and util.name == "\(name)")
          local seen = rawget(_G, "shared")
          return { id = ("%s %s %s %d"):format(string.poison, util.name, seen, util.count) }
        end
        return M
        """)
    }
    let set = PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
    for name in ["one", "two", "one"] {
      let mapped = try map(Array("[1]".utf8), set: set, named: name)
      #expect(mapped.report.failures.map(\.error.description) == [])
      #expect(mapped.entities.map(\.key) == ["nil \(name) nil 1"])
    }
  }

  @Test("a module that a plugin's files have no room for is told as that")
  func leftOut() {
    let folder = TemporaryFolder()
    let line = Array("-- a line of a long module, which says nothing at all\n".utf8)
    folder.write("p/big.lua", Array(repeatElement(line, count: (17 << 20) / line.count).joined()))
    let message = requiring("'big'", in: folder)?.refusal?.message
    #expect(message?.contains("module 'big' is not read: a plugin has at most 16 MB") == true)
  }

  @Test("bytecode is refused: as a plugin, as a module, through load")
  func refusesBytecode() {
    let folder = TemporaryFolder()
    let bytes: [UInt8] = Array("--- @api 1\n".utf8)
    folder.write("a.lua", [0x1B] + Array("Lua".utf8) + bytes)
    folder.write("p/code.lua", [0x1B] + Array("LuaT".utf8))
    #expect(load("a", in: folder)?.refusal?.message.contains("bytecode") == true)
    let module = requiring("'code'", in: folder)
    #expect(module?.refusal != nil)
    for call in ["load('\\27Lua', 'x', 'b')", "load(function() return nil end, 'x', 'bt')"] {
      folder.write(
        "b.lua",
        Self.kinds + "local f, why = \(call)\nif f then f() end\n"
          + "function M.map() return { id = why } end\nreturn M\n")
      let plugin = load("b", in: folder)
      if call.contains("27") { #expect(plugin?.refusal == nil) }
    }
  }

  @Test("a changed module changes the fingerprint, a fixture does not")
  func fingerprints() throws {
    let folder = TemporaryFolder()
    folder.write("p/plugin.lua", Self.kinds)
    folder.write("p/util.lua", "return 1")
    let file = try #require(PluginFile(path: folder.path + "/p"))
    let first = try PluginSources.read(file)
    #expect(first.moduleNames == ["util"])
    folder.write("p/fixtures/a.json", "[]")
    #expect(try PluginSources.read(file).fingerprint == first.fingerprint)
    folder.write("p/util.lua", "return 2")
    #expect(try PluginSources.read(file).fingerprint != first.fingerprint)
  }

  @Test("a plugin whose state is made again runs the text that it was loaded with")
  func keepsText() throws {
    let folder = TemporaryFolder()
    folder.write("p/util.lua", "return { name = 'old' }")
    let plugin = try #require(requiring("'util'", in: folder))
    folder.write("p/util.lua", "syntax error")
    folder.write("p/plugin.lua", "syntax error")
    plugin.discardSession()
    #expect(throws: Never.self) { try plugin.currentSession() }
  }
}
