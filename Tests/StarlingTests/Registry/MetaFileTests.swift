import Glibc
import StarlingFavorites
import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite struct MetaFileTests {
  private static let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  private func committed(_ name: String, is text: String) throws {
    let path = "/\(Self.root)/plugins/\(name)"
    if getenv("UPDATE_GOLDEN") != nil { try Files.replace(path, with: Array(text.utf8)) }
    let found = String(decoding: try Files.read(path), as: UTF8.self)
    #expect(found == text, "run the tests with UPDATE_GOLDEN=1 and look at the difference")
  }

  @Test("the annotations for editors are those of the functions that there are")
  func meta() throws {
    let host = Host(
      Host.Configuration(database: .memory, pluginFolders: ["/\(Self.root)/plugins"]))
    try committed("starling.meta.lua", is: MetaFile.text(kinds: host.model.kinds))
  }

  @Test("the reference is that of the functions that there are")
  func reference() throws {
    try committed("API.md", is: ApiReference.markdown)
  }

  @Test("the annotations are Lua, and raise when they are required")
  func requiring() throws {
    let state = try LuaState(.script)
    let chunk = try state.load(MetaFile.text(kinds: []), name: "starling.meta.lua")
    #expect(throws: LuaError.self) { try state.call(chunk) }
  }

  @Test("every shape that is named is described, and no name is described twice")
  func shapes() {
    var named: Set<String> = []
    func note(_ type: ApiType) {
      switch type {
      case .shape(let name): named.insert(name)
      case .list(let element): note(element)
      case .union(let types): types.forEach(note)
      default: break
      }
    }
    for function in ApiRegistry.functions {
      function.parameters.forEach { note($0.type) }
      function.results.forEach { note($0.type) }
    }
    for value in ApiRegistry.values { note(value.type) }
    for shape in ApiRegistry.shapes { shape.fields.forEach { note($0.type) } }
    let described = ApiRegistry.shapes.map(\.name)
    #expect(named.subtracting(described).isEmpty)
    #expect(Set(described).count == described.count)
    let names = ApiRegistry.functions.map(\.name) + ApiRegistry.values.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test("a script has every function that is said to be there, under its name, and no other")
  func scriptGlobals() throws {
    let lua = try ScriptHarness()
    for function in ApiRegistry.functions where function.contexts.contains(.script) {
      let type = try lua.session.state.readGlobal(function.name) { $0.type }
      #expect(type == .function, "\(function.name)")
    }
    for function in ApiRegistry.functions where !function.contexts.contains(.script) {
      let type = try lua.session.state.readGlobal(function.name) { $0.type }
      #expect(type == .nil, "\(function.name)")
    }
  }

  @Test("each function and each of its parts has one line of help")
  func help() {
    for function in ApiRegistry.functions {
      #expect(function.help.hasSuffix(".") && !function.help.contains("\n"), "\(function.name)")
      for parameter in function.parameters { #expect(!parameter.help.isEmpty) }
      #expect(ApiHelp.text(function.name) != nil)
    }
    #expect(ApiHelp.text("favorites.insert")?.hasPrefix("favorites.insert(kind") == true)
    #expect(ApiHelp.text("starling.Money") != nil)
    #expect(ApiHelp.text("nothing") == nil)
  }
}
