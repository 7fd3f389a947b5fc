import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// A damaged file is mended in place where nothing is lost by it, or else what can be read of it
/// goes into a new one.
@Suite struct SalvageTests {
  let folder = TemporaryFolder()
  private var path: String { folder.path + "/a.db" }
  private static let items = 400
  private static let starred = 40

  init() throws {
    let store = try FavoritesStore(
      .file(folder.path + "/a.db"), model: StoreFixture.model, options: StoreFixture.options())
    let news = try store.handle(kind: "news")
    let batch = try store.beginLoad(source: "feed")
    for number in 0..<Self.items {
      let star = RuleStar(rule: "R", version: "1", evidence: [], tags: ["t"])
      var item = StoreFixture.item(number)
      item["summary"] = .text(String(repeating: "s", count: number % 7 == 0 ? 6000 : 90))
      try batch.add(news, try store.record(of: item, news), stars: number % 10 == 0 ? [star] : [])
    }
    _ = try batch.commit()
    for number in 0..<40 { try store.delete(kind: "news", key: "https://no/\(number)") }
    try store.rekey(kind: "news", from: StoreFixture.link(10), to: "https://e.example/ten")
  }

  /// Mends as the tool's `doctor --mend` does: in place, or by salvaging.
  private func mend() throws -> SalvageReport? {
    do {
      let store = try FavoritesStore(.file(path), options: StoreFixture.options())
      let problems = try store.check()
      if problems.isEmpty { return SalvageReport() }
      if problems.allSatisfy(\.canBeMended) {
        try store.mend()
        return nil
      }
    } catch {
      #expect(Self.detail(error) != nil, "\(error)")
    }
    return try FavoritesStore.salvage(path, options: StoreFixture.options())
  }

  private static func detail(_ error: any Error) -> String? {
    guard case .corrupt(_, let detail) = error as? FavoritesError else { return nil }
    return detail
  }

  @Test("a text that damage has made no UTF-8 is saved as one that others can read")
  func brokenText() throws {
    var bytes = folder.read("a.db")
    for place in bytes.indices.dropLast(3)
    where bytes[place..<place + 4].elementsEqual("ssss".utf8) { bytes[place + 2] = 0xFF }
    folder.write(bytes, to: "a.db")
    _ = try FavoritesStore.salvage(path, options: StoreFixture.options())
    let store = try FavoritesStore(.file(path), options: StoreFixture.options())
    let texts = try store.connection.prepare("SELECT summary FROM news WHERE summary IS NOT NULL")
    var (count, mended) = (0, 0)
    while try texts.step() {
      let bytes = try #require(texts.bytes(0))
      let text = try #require(String(validating: bytes, as: UTF8.self))
      count += 1
      if text.contains("\u{FFFD}") { mended += 1 }
    }
    #expect(count == Self.items)
    #expect(mended > 0)
    #expect(try store.check().isEmpty)
  }

  @Test("with a page damaged, the rest is saved and the damaged file kept as it is")
  func everyPage() throws {
    let whole = folder.read("a.db")
    var (salvaged, refused, lostTables) = (0, 0, 0)
    for page in [1, 3, 4, 6, 11, 17, 19, 24, 33, 45, 60, 80] where page < whole.count / 4096 {
      var bytes = whole
      for place in page * 4096..<(page + 1) * 4096 {
        bytes[place] = UInt8(truncatingIfNeeded: place &* 31)
      }
      for name in folder.files() { unlink("\(folder.path)/\(name)") }
      folder.write(bytes, to: "a.db")
      let report: SalvageReport?
      do { report = try mend() } catch {
        // Kinds and fields alone cannot be done without.
        #expect("\(error)".contains("too damaged to be salvaged"), "page \(page): \(error)")
        refused += 1
        #expect(folder.read("a.db") == bytes)
        continue
      }
      if let report, !report.kept.isEmpty {
        salvaged += 1
        let kept = String(report.kept.dropFirst(folder.path.utf8.count + 1))
        #expect(folder.read(kept) == bytes, "page \(page)")
        #expect(Set(folder.files()) == ["a.db", kept])
      }
      let store = try FavoritesStore(.file(path), options: StoreFixture.options())
      #expect(try store.check().isEmpty, "page \(page)")
      if report?.rows.contains(where: { $0.table == "news" && $0.count == 0 }) == true {
        // The page had what the file says of its tables.
        lostTables += 1
        continue
      }
      let seen = try store.count(Query(kind: "news", scope: .everything))
      #expect(seen >= Self.items - 40, "page \(page): \(seen)")
      // Their index and the history have what a page of favorites held.
      let count = try store.count(Query(kind: "news"))
      #expect(count >= Self.starred - 3, "page \(page): \(count)")
      try store.insert(StoreFixture.item(9999))
    }
    #expect(salvaged > 3)
    #expect(refused <= 3)
    #expect(lostTables <= 3)
  }

  @Test("a file that was cut gives what is left", arguments: [0.5, 0.8, 0.97])
  func cut(_ part: Double) throws {
    let whole = folder.read("a.db")
    folder.write(Array(whole.prefix(Int(Double(whole.count) * part))), to: "a.db")
    let report = try #require(try mend())
    #expect(!report.kept.isEmpty)
    let store = try FavoritesStore(.file(path), options: StoreFixture.options())
    #expect(try store.check().isEmpty)
    #expect(
      try store.count(Query(kind: "news", scope: .everything))
        > Int(Double(Self.items) * (part - 0.3)))
  }

  @Test("a file that somebody has open is not salvaged under them")
  func inUse() throws {
    let other = try FavoritesStore(.file(path), options: StoreFixture.options())
    #expect(try other.count(Query(kind: "news")) == Self.starred)
    let error = #expect(throws: FavoritesError.self) { try FavoritesStore.salvage(path) }
    #expect(error?.description.contains("another program has it open") == true)
    #expect(try other.count(Query(kind: "news")) == Self.starred)
  }

  @Test("a file of another program is not salvaged")
  func foreign() throws {
    folder.write(Array("SQLite format 3".utf8), to: "b.db")
    #expect(throws: FavoritesError.self) { try FavoritesStore.salvage(folder.path + "/b.db") }
    #expect(folder.read("b.db") == Array("SQLite format 3".utf8))
  }
}
