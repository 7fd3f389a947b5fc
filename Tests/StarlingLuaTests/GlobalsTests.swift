import StarlingLua
import Testing

/// Strict globals and `require`.
@Suite struct GlobalsTests {
  @Test("a misspelt global is an error with the nearest right name")
  func misspelt() throws {
    let state = try LuaState(.plugin)
    #expect(
      state.run("return tostrin(1)")
        == "case:1: undefined global 'tostrin'; did you mean 'tostring'?")
    #expect(state.run("return Math.pi") == "case:1: undefined global 'Math'; did you mean 'math'?")
    #expect(
      state.run("return quite_another_name") == "case:1: undefined global 'quite_another_name'")
  }

  @Test("a name of which no letter stays is not the nearest")
  func nothingAlike() throws {
    let state = try LuaState(.script)
    #expect(state.run("_ = 1 return ''") == "")
    #expect(state.run("return x") == "case:1: undefined global 'x'")
  }

  @Test("a plugin cannot define globals")
  func closed() throws {
    let state = try LuaState(.plugin)
    #expect(
      state.run("title = 1").contains("no global can be defined here (write 'local'): 'title'"))
    #expect(state.run("function f() end").contains("'f'"))
    #expect(state.run("local title = 1 return 'ok'") == "ok")
  }

  @Test("a script defines globals at the top level, nil ones too, and not by accident in functions")
  func topLevel() throws {
    let state = try LuaState(.script)
    #expect(
      state.run("count = 1 last = nil function bump() count = count + 1 last = 'b' end return ''")
        == "")
    #expect(state.run("bump() return count .. last") == "2b")
    #expect(
      state.run("local function f() cuont = 1 end f()")
        == "case:1: a function assigns the undefined global 'cuont'; did you mean 'count'?")
  }

  @Test("the globals' metatable cannot be taken off")
  func protected() throws {
    let state = try LuaState(.plugin)
    #expect(state.run("return tostring(pcall(setmetatable, _G, nil))") == "false")
    #expect(state.run("return tostring(getmetatable(_G))") == "false")
  }

  @Test("require runs a module once, by the host's resolver alone")
  func require() throws {
    let state = try LuaState(.plugin)
    var asked: [String] = []
    state.registerRequire { name throws(LuaError) in
      asked.append(name)
      return switch name {
      case "util":
        LuaModule(
          source: Array("local name, chunk = ... return {name = name, chunk = chunk, n = 0}".utf8),
          chunk: "x/util.lua")
      case "loop": LuaModule(source: Array("return require 'loop'".utf8), chunk: "x/loop.lua")
      case "bad": LuaModule(source: Array("\nlocal = 1".utf8), chunk: "x/bad.lua")
      case "raises": LuaModule(source: Array("\nerror('no')".utf8), chunk: "x/raises.lua")
      case "nothing": LuaModule(source: [], chunk: "x/nothing.lua")
      default: nil
      }
    }
    #expect(state.run("local u = require 'util' return u.name .. u.chunk") == "utilx/util.lua")
    #expect(state.run("require 'util'.n = 5 return require 'util'.n .. ''") == "5")
    #expect(asked == ["util"])
    #expect(state.run("return tostring(require 'nothing')") == "true")
    #expect(state.run("require 'loop'").contains("module 'loop' requires itself"))
    #expect(state.run("require 'os'").contains("module 'os' not found"))
    #expect(state.run("require 'bad'").contains("x/bad.lua:2: "))
    #expect(state.run("require 'raises'").contains("x/raises.lua:2: no"))
    #expect(state.run("require {}").contains("string expected, got table"))
  }

  @Test("the time and memory that a state used can be read")
  func statistics() throws {
    let state = try LuaState(.script)
    _ = state.run("local s = 0 for i = 1, 1e6 do s = s + i end return ''")
    #expect(state.timeUsed > .microseconds(500))
    #expect(state.memoryUsed > 1000)
  }
}
