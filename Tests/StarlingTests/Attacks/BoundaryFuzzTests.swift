import LuaFuzz
import Testing

/// Random calls of every function that scripts have, with a fixed seed; `make fuzz` does many more.
@Suite struct BoundaryFuzzTests {
  @Test("no sequence of calls with random values breaks anything")
  func rounds() throws {
    let fuzzer = BoundaryFuzzer()
    for seed: UInt64 in 1...40 { try fuzzer.round(seed: seed) }
  }
}
