import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// The queries that the README shows are asked of a database like the README's.
@Suite struct ReadmeQueryTests {
  @Test("each query of the README gives rows")
  func queries() throws {
    let folder = TemporaryFolder()
    let kind = Kind(
      name: "recipe", key: .fields(["url"]),
      fields: [Field("url", .url), Field("title", .text), Field("minutes", .integer)])
    let path = folder.path + "/r.db"
    let store = try FavoritesStore(
      .file(path), model: KindModel.merging([("recipes", [KindDeclaration(kind)])]).model)
    let handle = try store.handle(kind: "recipe")
    let batch = try store.beginLoad(source: "recipes.json")
    for (number, title) in ["Dal & rice", "Tea", "Soup"].enumerated() {
      let entity = Entity(
        kind: "recipe", key: "",
        values: [
          "url": .text("https://cook.example/\(number)"), "title": .text(title),
          "minutes": .integer(Int64(number * 20)),
        ])
      let star = RuleStar(rule: "Quick", version: "1", evidence: [], tags: ["weekday"])
      try batch.add(
        handle, try store.record(of: entity, handle), stars: number == 2 ? [] : [star])
    }
    _ = try batch.commit()
    try store.delete(kind: "recipe", key: "https://cook.example/1")

    // Another connection, as the sqlite3 shell opens it.
    let shell = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 0)
    let queries = try Self.queries()
    #expect(queries.count == 5)
    for query in queries {
      let statement = try shell.prepare(query)
      #expect(try statement.step(), "\(query)")
    }
    let favorites = try shell.prepare(queries[0])
    #expect(try favorites.step())
    #expect(favorites.string(0) == "Dal & rice")
    #expect(favorites.string(2) == "weekday")
    #expect(favorites.string(3)?.hasSuffix("Z") == true)
  }

  private static func queries() throws -> [String] {
    let path = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let file = try #require(fopen(path + "/README.md", "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    let parts = text.split(separator: "```sql\n")
    let block = try #require(parts.dropFirst().first?.split(separator: "```").first)
    return block.split(separator: ";").map(String.init).filter { $0.contains("SELECT") }
  }
}
