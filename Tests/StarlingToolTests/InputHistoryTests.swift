import Glibc
import Testing

@testable import StarlingTool

@Suite struct InputHistoryTests {
  private let place = Workplace()

  private var path: String { place.path("state/starling/history") }

  @Test("entries come back whole and in order, with their lines")
  func entries() {
    var history = InputHistory(path: path)
    let texts = ["1 + 1", "for i = 1, 2 do\n  print(i)\nend", #"print("a\n\\b")"#, "电池😀"]
    for text in texts { _ = history.add(text) }
    #expect(InputHistory(path: path).entries == texts)
  }

  @Test("only its owner may read the file")
  func mode() {
    var history = InputHistory(path: path)
    _ = history.add("x")
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    // One that was readable is not any more.
    chmod(path, 0o644)
    _ = history.add("y")
    stat(path, &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("an entry that begins with a blank is not kept, nor the last one again, nor an empty one")
  func leftOut() {
    var history = InputHistory(path: path)
    let added = [" secret", "a", "a", ""].map { history.add($0) }
    #expect(added == [false, true, false, false])
    #expect(InputHistory(path: path).entries == ["a"])
  }

  @Test("a long history is cut to its newest entries")
  func long() {
    let text = (1...InputHistory.maximum * 2 + 5).map { "line \($0)\n" }.joined()
    place.write("history", text)
    let history = InputHistory(path: place.path("history"))
    #expect(history.entries.count == InputHistory.maximum)
    #expect(history.entries.last == "line \(InputHistory.maximum * 2 + 5)")
    #expect(InputHistory(path: place.path("history")).entries == history.entries)
  }

  @Test("it lies where the XDG folders say")
  func usualPath() {
    let io = ToolIO.memory(environment: ["HOME": "/h"])
    #expect(InputHistory.usualPath(io) == "/h/.local/state/starling/history")
    let other = ToolIO.memory(environment: ["HOME": "/h", "XDG_STATE_HOME": "/s"])
    #expect(InputHistory.usualPath(other) == "/s/starling/history")
    #expect(InputHistory.usualPath(ToolIO.memory()) == nil)
  }
}
