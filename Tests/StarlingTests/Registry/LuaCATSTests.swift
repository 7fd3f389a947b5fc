import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

/// The annotations for editors, read as an editor reads them, against the registry.
@Suite struct LuaCATSTests {
  private let host = Host(
    Host.Configuration(database: .memory, pluginFolders: [packageFolder + "/plugins"]))

  private var annotations: LuaCATS { LuaCATS(MetaFile.text(kinds: host.model.kinds)) }

  @Test("every line is well formed, and every type that is named is declared")
  func wellFormed() {
    #expect(annotations.faults.map { "\($0.line): \($0)" } == [])
  }

  @Test("the reader finds slips, so that the test above means something")
  func findsSlips() {
    for (text, part) in [
      ("---@class A\n---@field x strin", "no type strin"), ("---@class A: B", "no type B"),
      ("---@field x string", "without a class"), ("---@class A\n---@class A", "twice"),
      ("---@class A\n---@field x string\n---@field x string", "twice"),
      ("---@param a string\nfunction f(b) end", "annotated"),
      ("---@param a  string\nfunction f(a) end", "two blanks"),
      ("---@param a string[\nfunction f(a) end", "a blank is missing"),
      ("---@return fun(a: string: nil", ") is missing"), ("---@retrun string", "no annotation"),
      ("---@param string\nfunction f(string) end", "a blank is missing"),
      ("---@type table<string integer>\nx = nil", ", is missing"), ("x = 5", "untyped"),
      ("---@overload string", "an overload is fun()"),
    ] {
      let faults = LuaCATS(text).faults
      #expect(faults.contains { $0.description.contains(part) }, "\(text): \(faults)")
    }
    #expect(
      LuaCATS(
        """
        ---@class A: table
        ---@field x? fun(a: string, b?: A[], ...: any): string?, integer what it does
        --- Text.
        ---@param a "x"|"y"|nil one of two
        ---@param ... { a: string, b?: table<string, A> } more
        ---@return (string|integer)[]? # or not
        ---@overload fun(a: string): boolean
        function f.g(a, ...) end
        """
      ).faults.map(\.description) == [])
  }

  @Test("the functions and values are those of the registry, parameter by parameter")
  func functions() {
    let annotations = annotations
    #expect(Set(annotations.functions.keys) == Set(ApiRegistry.functions.map(\.name)))
    #expect(
      Set(annotations.values.keys)
        == Set(ApiRegistry.values.map(\.name)).subtracting(annotations.functions.keys))
    for function in ApiRegistry.functions {
      guard let found = annotations.functions[function.name] else { continue }
      #expect(
        found.parameters == function.parameters.map { $0.isVariadic ? "..." : $0.name },
        "\(function.name)")
      for (type, parameter) in zip(found.types, function.parameters) {
        let mark = parameter.isOptional && !parameter.isVariadic ? "?" : ""
        #expect(type == parameter.type.annotation + mark, "\(function.name)")
      }
      #expect(found.returns.count == function.results.count, "\(function.name)")
    }
  }

  @Test("each declared kind is a class of entities with its fields and their types")
  func kinds() {
    let annotations = annotations
    #expect(host.model.kinds.count >= 5)
    for kind in host.model.kinds {
      let found = annotations.classes["starling.kind.\(kind.name)"]
      #expect(found?.parents == ["starling.Entity"], "\(kind.name)")
      #expect(found.map { Set($0.fields.keys) } == Set(kind.fields.map(\.name)), "\(kind.name)")
    }
    #expect(annotations.classes["starling.kind.post"]?.fields["published"] == "integer?")
    #expect(annotations.classes["starling.kind.car_type"]?.fields["price"] == "starling.Money?")
    #expect(annotations.classes["starling.kind.news"]?.fields["categories"] == "string[]?")
  }

  @Test("the console's help names each parameter with its type, as the reference does")
  func help() {
    for function in ApiRegistry.functions {
      let help = ApiHelp.text(function.name) ?? ""
      #expect(help.contains(function.signature) && help.contains(function.help))
      #expect(ApiReference.markdown.contains("### `\(function.signature)`"))
      for parameter in function.parameters {
        #expect(help.contains("\(parameter.name): \(parameter.type.annotation)"))
      }
    }
  }
}
