import Glibc
import StarlingFavorites
import StarlingModel

/// The store alone, asked from Swift with bytes: what its bindings add to is measured here.
enum StoreBench {
  static let news = Kind(
    name: "news", key: .fields(["link"]),
    fields: [
      Field("link", .url), Field("title", .text), Field("summary", .text), Field("author", .text),
      Field("image", .url), Field("categories", .list), Field("published", .time),
    ],
    indexes: ["published", "author"])

  static func open(_ path: String) throws(FavoritesError) -> FavoritesStore {
    var model = KindModel()
    do { try model.merge([KindDeclaration(news)], from: "bench") } catch {
      throw .badValue(kind: "news", field: "", reason: "\(error)")
    }
    return try FavoritesStore(.file(path), model: model)
  }

  static func link(_ number: Int) -> String {
    "https://news.example.org/2026/05/story-\(1_000_000 + number)"
  }

  /// Makes so many favorites in one transaction, after `first` others.
  static func fill(_ path: String, first: Int, count: Int) throws(FavoritesError) {
    let store = try open(path)
    let kind = try store.handle(kind: "news")
    var record = EntityRecord()
    let start = cpuSeconds()
    try store.transaction { () throws(FavoritesError) in
      for number in first..<(first + count) {
        fillIn(&record, number, kind.kind)
        _ = try store.insert(kind, record, by: .script(name: "bench"))
      }
    }
    report("us", (cpuSeconds() - start) * 1e6 / Double(count))
  }

  private static func fillIn(_ record: inout EntityRecord, _ number: Int, _ kind: Kind) {
    record.reset(fieldCount: kind.fields.count)
    record.set(0, .text(record.append(link(number))))
    record.set(1, .text(record.append("Story \(number) of the measured times")))
    record.set(2, .text(record.append("A summary as long as a sentence about this and that.")))
    record.set(3, .text(record.append("Author \(number % 97)")))
    record.set(6, .time(1_600_000_000 + Int64(number) * 60))
    _ = EntityKey.setKey(of: &record, kind: kind)
  }

  /// Asks so many times, of as many rows as `fill` has made.
  static func contains(_ path: String, rows: Int, count: Int) throws(FavoritesError) {
    let store = try open(path)
    let kind = try store.handle(kind: "news")
    let keys = (0..<16_384).map { Array(link($0 &* 7919 % rows).utf8) }
    let start = cpuSeconds()
    var found = 0
    for number in 0..<count {
      let key = keys[number & 16_383]
      let isOne = try unsafe key.span.bytes.withUnsafeBytes { bytes throws(FavoritesError) in
        try unsafe store.contains(kind, key: bytes)
      }
      if isOne { found += 1 }
    }
    report("ns", (cpuSeconds() - start) * 1e9 / Double(count))
    report("found", Double(found))
  }

  /// Loads the keys of all favorites of a kind: time and memory of each.
  static func members(_ path: String) throws(FavoritesError) {
    let store = try open(path)
    let kind = try store.handle(kind: "news")
    let start = cpuSeconds()
    let first = try store.members(kind)
    let seconds = cpuSeconds() - start
    let count = Double(max(1, first.count))
    report("us", seconds * 1e6 / count)
    // What SQLite keeps in memory grew at the first load, so that what grows after it is the set.
    let before = residentBytes()
    let members = try store.members(kind)
    report("bytes", Double(residentBytes() - before) / Double(max(1, members.count)))
    withExtendedLifetime(first) {}
  }

  /// The memory of this process that lies in RAM (proc(5): /proc/self/statm).
  private static func residentBytes() -> Int {
    let pages = Bench.read("/proc/self/statm")?.split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
