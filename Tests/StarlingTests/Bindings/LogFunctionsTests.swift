import StarlingLua
import Testing

@testable import Starling

@Suite struct LogFunctionsTests {
  @Test("a line has its level, its source and the values as tostring shows them")
  func lines() throws {
    let lua = try BindingHarness()
    _ = try lua.run("log.warn('price', 5, nil, true) log.info() log.debug('d') log.error('e')")
    #expect(
      lua.logged == [
        LogLine(level: .warn, source: "test", message: "price 5 nil true"),
        LogLine(level: .info, source: "test", message: ""),
        LogLine(level: .debug, source: "test", message: "d"),
        LogLine(level: .error, source: "test", message: "e"),
      ])
  }

  @Test("a long line is cut")
  func long() throws {
    let lua = try BindingHarness()
    _ = try lua.run("log.info(('x'):rep(100000))")
    #expect(lua.logged[0].message.utf8.count == (8 << 10) + 3)
  }
}
