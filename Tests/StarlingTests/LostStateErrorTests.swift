import StarlingLua
import Testing

@testable import Starling

@Suite struct LostStateErrorTests {
  @Test("a stop in the middle of Lua's own code says why it has no line")
  func lost() throws {
    for _ in 0..<20 {
      let state = try LuaState(.script)
      // One comparison of these takes longer than the stop waits for a hook.
      let chunk = try state.load(
        Array(
          "local a, b = ('\\0'):rep(16e6), ('\\0'):rep(16e6) while true do local _ = a < b end".utf8
        ),
        name: "c.lua")
      do throws(LuaError) {
        try state.call(chunk, budget: .milliseconds(300))
        Issue.record("not stopped")
      } catch {
        let failure = HostError(error, in: state, subject: "c.lua")
        guard state.isLost else {
          #expect(failure.location?.line == 1)
          continue
        }
        #expect(
          failure.description
            == "c.lua: stopped: its time was over in one long operation of Lua's own, whose line "
            + "is not known")
        return
      }
    }
    Issue.record("never lost")
  }
}
