import Testing

@testable import StarlingFavorites

@Suite struct GuardedTests {
  @Test("Threads that contend for a value see it one after the other")
  func contention() async {
    let counter = Guarded(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
      }
    }
    #expect(counter.withLock { $0 } == 80_000)
  }
}
