import Glibc
import StarlingModel
import Testing

@testable import StarlingFavorites

/// A process that is killed at a random moment leaves a whole file with everything that it had
/// reported as done.
@Suite struct KillTests {
  /// Where a child and its parent meet: named after the parent.
  private static func path(of process: pid_t) -> String { "/tmp/starling-kill-\(process).db" }

  /// Entities of one load; a load is there as a whole or not at all.
  private static let batchSize = 40

  /// Loads feeds, toggles and undoes for ever, and writes each load down when it is done.
  private static func work(path: String) {
    let log = open(path + ".log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard
      let store = try? FavoritesStore(
        .file(path), model: StoreFixture.model, options: StoreFixture.options()),
      let news = try? store.handle(kind: "news")
    else { return }
    var number = (try? store.count(Query(kind: "news", scope: .everything))) ?? 0
    number /= batchSize
    var alarm = itimerval()
    alarm.it_value.tv_usec = Int.random(in: 1000..<60_000)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &alarm, nil)
    let star = RuleStar(rule: "R", version: "1", evidence: [], tags: ["t"])
    while true {
      guard let batch = try? store.beginLoad(source: "feed") else { return }
      for place in 0..<batchSize {
        let item = StoreFixture.item(number * batchSize + place)
        guard let record = try? store.record(of: item, news),
          (try? batch.add(news, record, stars: [star])) != nil
        else { return }
      }
      guard (try? batch.commit()) != nil else { return }
      var done = Int32(number)
      write(log, &done, 4)
      _ = try? store.toggle(StoreFixture.item(number * batchSize))
      if number % 3 == 0 { _ = try? store.undo(.last) }
      number += 1
    }
  }

  @Test("a kill at any moment leaves a whole file, all that was reported, and no half feed")
  func kill() async throws {
    let path = Self.path(of: getpid())
    defer { for suffix in ["", "-wal", "-shm", ".log"] { unlink(path + suffix) } }
    for _ in 0..<6 {
      await #expect(processExitsWith: .signal(SIGALRM)) {
        KillTests.work(path: KillTests.path(of: getppid()))
      }
      let store = try FavoritesStore(.file(path), options: StoreFixture.options())
      #expect(try store.check().isEmpty)
      let seen = try store.count(Query(kind: "news", scope: .everything))
      #expect(seen % Self.batchSize == 0)
      let log = open(path + ".log", O_RDONLY)
      defer { close(log) }
      var done: Int32 = 0
      while read(log, &done, 4) == 4 {
        let last = StoreFixture.link(Int(done) * Self.batchSize + Self.batchSize - 1)
        #expect(try store.contains(kind: "news", key: last), "load \(done) is gone")
      }
    }
  }
}
