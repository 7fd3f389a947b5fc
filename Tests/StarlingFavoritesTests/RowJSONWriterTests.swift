import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

@Suite struct RowJSONWriterTests {
  private func lines(_ store: FavoritesStore, _ query: Query) throws -> [String] {
    let writer = RowJSONWriter(try store.handle(kind: query.kind).kind)
    _ = try store.forEachRow(query) { row throws(FavoritesError) in
      try writer.write(row)
      return true
    }
    let text = String(decoding: writer.bytes, as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test("a row is the line that its favorite is, whatever it holds")
  func favorites() throws {
    let store = try StoreFixture.store()
    let evidence = [
      Evidence(field: "energy", value: "\"EV\"", condition: "is \"EV\""),
      Evidence(field: "price", value: "16.59万", condition: "below \"20万\""),
    ]
    let car = Entity(
      kind: "car_type", key: "",
      values: [
        "site": "s/%", "uid": "007", "name": "a\"\\\u{1}\u{7F}é电", "energy": "", "doors": -5,
        "rating": 0.1, "electric": false, "url": "https://e.example/?a=1&b=\u{2028}",
        "price": .money(
          Money(low: 165_900, high: 251_300.5, currency: "CNY", text: "16.59-25.13万")),
      ])
    try store.insert(
      car, by: .rule(name: "r\"", version: "v1"), evidence: evidence, tags: ["z", "电\"池"],
      note: "n\n")
    try store.insert(car, by: .script(name: "s.lua"))
    try store.insert(car, by: .import(file: "f.csv", line: 3))
    try store.insert(car, by: .hand)
    try store.insert(
      Entity(
        kind: "car_type", key: "",
        values: ["uid": "8", "price": .money(Money(low: nil, high: nil, currency: nil, text: ""))]),
      by: .import(file: "f.csv", line: 4))
    var item = StoreFixture.item(1)
    item["categories"] = .list(["a\"b", "", "\\", "电"])
    item["published"] = .time(Timestamp(secondsSinceEpoch: -62_167_219_201))
    try store.insert(item)
    for kind in ["car_type", "news"] {
      let handle = try store.handle(kind: kind)
      let expected = try store.fetch(Query(kind: kind)).map { favorite in
        var json = JSONWriter()
        json.favorite(favorite, kind: handle.kind)
        return String(decoding: json.bytes, as: UTF8.self)
      }
      let written = try lines(store, Query(kind: kind))
      #expect(written == expected)
      #expect(!expected.isEmpty)
    }
  }

  @Test("an entity that is no favorite has its own members alone")
  func entities() throws {
    let store = try StoreFixture.store()
    try store.insert(StoreFixture.item(1), tags: ["t"])
    try store.delete(kind: "news", key: StoreFixture.link(1))
    let text = try lines(store, Query(kind: "news", scope: .everything))
    #expect(
      text == [
        """
        {"kind":"news","key":"https://e.example/1","link":"https://e.example/1","title":"Item 1",\
        "published":"1970-01-01T00:01:00Z"}
        """
      ])
  }

  @Test("evidence that is no JSON is left out, so that each line is JSON")
  func brokenEvidence() throws {
    let store = try StoreFixture.store()
    try store.insert(StoreFixture.item(1), by: .rule(name: "r", version: "v"))
    try store.connection.execute("UPDATE causes SET evidence = '[{'")
    let line = try #require(try lines(store, Query(kind: "news")).first)
    #expect(
      line.hasSuffix(
        #""causes":[{"by":"rule","rule":"r","version":"v","at":"2027-01-15T08:00:00Z"}]}"#))
  }
}
