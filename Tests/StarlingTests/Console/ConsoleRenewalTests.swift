import StarlingLua
import StarlingModel
import Testing

@testable import Starling

/// A console whose Lua state can run nothing any more begins another, and says so.
@Suite struct ConsoleRenewalTests {
  @Test("globals that hold all of the memory stay, and can be let go of")
  func full() throws {
    let console = try ConsoleHarness(limits: Limits(time: .seconds(60), memoryBytes: 8 << 20))
    _ = console.failure("keep = 1 list = {} while true do list = { list } end")
    let notices = console.session.takeNotices()
    #expect(notices.count == 1 && notices.first?.contains("fills the memory") == true)
    #expect(console.session.takeNotices() == [])
    #expect(try console.value("keep") == .integer(1))
    try console.run("list = nil")
    #expect(try console.value("keep") == .integer(1))
    #expect(console.session.takeNotices() == [])
    #expect(console.session.session.state.memoryUsed < 2 << 20)
    #expect(try console.value("favorites.count('news')") == .integer(0))
  }

  @Test("those that hold what they are let have beyond it too go with their state")
  func overfull() throws {
    let console = try ConsoleHarness(limits: Limits(time: .seconds(60), memoryBytes: 8 << 20))
    try console.run("list = {}")
    for _ in 0..<4 { _ = console.failure("while true do list = { list } end") }
    #expect(console.session.takeNotices().contains { $0.contains("begun anew") })
    #expect(try console.value("rawget(_G, 'list')") == .nil)
    #expect(try console.value("favorites.count('news')") == .integer(0))
    try console.run("help(favorites.get)")
    #expect(console.output.hasPrefix("favorites.get(kind, [key])"))
  }

  @Test("memory that Lua gives back is no reason")
  func garbage() throws {
    let console = try ConsoleHarness(limits: Limits(time: .seconds(60), memoryBytes: 8 << 20))
    let failure = console.failure("keep = 1 local list = {} while true do list = { list } end")
    #expect(failure?.contains("not enough memory") == true)
    #expect(console.session.takeNotices() == [])
    #expect(try console.value("keep") == .integer(1))
  }

  @Test("a state that a stop has lost is replaced, with the store that it had; the query stays")
  func lost() throws {
    let console = try ConsoleHarness(limits: Limits(time: .seconds(3), memoryBytes: 256 << 20))
    try console.run("favorites.insert('news', { link = 'https://e.org/1' })")
    try console.run("favorites.fetch('news', { where = { title = missing } })")
    try console.run("favorites.on('insert', function() end)")
    // One comparison of these takes longer than the stop waits for a hook.
    for _ in 0..<20 {
      if console.session.session.state.isLost { Issue.record("a lost state is in use") }
      try console.run("a, b = ('\\0'):rep(16e6), ('\\0'):rep(16e6)")
      let failure = console.failure("while true do local _ = a < b end")
      #expect(failure?.contains("its time was over") == true, "\(failure ?? "nil")")
      let notices = console.session.takeNotices()
      guard notices.contains(where: { $0.contains("begun anew") }) else { continue }
      #expect(try console.value("favorites.count('news')") == .integer(1))
      #expect(console.session.lastQuery != nil)
      #expect(!console.session.hasObservers)
      try console.run("favorites.undo()")
      return
    }
    Issue.record("never lost")
  }
}
