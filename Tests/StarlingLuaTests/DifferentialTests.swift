import LuaFuzz
import StarlingLua
import Testing

/// Every function that we replaced against the stock one: results, errors and their texts.
@Suite struct DifferentialTests {
  @Test("the library behaves as stock Lua's on ten thousand random calls and programs")
  func random() throws {
    // Beside them those that found something once.
    for seed in Array(5400..<5425) + [1622, 1843] {
      let differential = try #require(Differential())
      let found = differential.differences(seed: UInt64(seed), cases: 400)
      #expect(found.isEmpty, "seed \(seed): \(found.prefix(4))")
    }
  }

  @Test(
    "what is different on purpose is different",
    arguments: LuaDifference.all.filter { $0.example != nil }.map(\.what))
  func differences(what: String) throws {
    let difference = try #require(LuaDifference.all.first { $0.what == what })
    let differential = try #require(Differential())
    let (ours, stock) = differential.both(difference.example ?? "")
    #expect(ours != stock, "\(what): both give \(ours)")
    if let mark = difference.mark, mark.hasPrefix("get") == false {
      #expect(ours.contains(mark), "\(what): \(ours)")
    }
  }

  @Test("no cost of a difference is an excuse for another: a result without its mark is a fault")
  func excuses() {
    #expect(LuaDifference.excuses(ours: "x -> false 'weak keys (...'"))
    #expect(!LuaDifference.excuses(ours: "tonumber, '1' -> integer:2"))
  }
}
