import StarlingModel
import Testing

@testable import StarlingFavorites

@Suite struct FavoritesStoreTests {
  let store: FavoritesStore

  init() throws {
    store = try StoreFixture.store()
  }

  @Test("an entity that is inserted is a favorite, and one that is deleted is none")
  func insertAndDelete() throws {
    #expect(try !store.contains(StoreFixture.item(1)))
    #expect(try store.insert(StoreFixture.item(1)).outcome == .starred)
    #expect(try store.contains(kind: "news", key: StoreFixture.link(1)))
    #expect(try store.contains(url: StoreFixture.link(1)))
    #expect(try store.insert(StoreFixture.item(1)).outcome == .already)
    #expect(try store.delete(kind: "news", key: StoreFixture.link(1)))
    #expect(try !store.contains(kind: "news", key: StoreFixture.link(1)))
    #expect(try !store.delete(kind: "news", key: StoreFixture.link(1)))
  }

  @Test("every type of value comes back as it was")
  func roundTrip() throws {
    let car = Entity(
      kind: "car_type", key: "",
      values: [
        "site": "e.example", "uid": "007", "name": "名爵 \"4\" \u{0} \\",
        "price": .money(
          Money(low: 165900, high: 251300, currency: "CNY", text: "16.59-25.13万")),
        "doors": 5, "rating": 4.5, "electric": true, "url": "https://e.example/7",
      ])
    try store.insert(car, tags: ["b", "a"], note: "look at it")
    let favorite = try #require(try store.get(kind: "car_type", key: "e.example/007"))
    var expected = car
    expected.key = "e.example/007"
    #expect(favorite.entity == expected)
    #expect(favorite.tags == ["a", "b"])
    #expect(favorite.note == "look at it")
    #expect(favorite.starredAt == StoreFixture.noon)
    #expect(favorite.causes == [Cause(origin: .hand, at: StoreFixture.noon)])
    #expect(try store.contains(url: "https://e.example/7"))

    var item = StoreFixture.item(3)
    item["categories"] = .list(["a\"b", "c\\d", "\u{1}", "电池", ""])
    try store.insert(item)
    #expect(
      try store.entity(kind: "news", key: StoreFixture.link(3))?["categories"] == item["categories"]
    )
  }

  @Test("a price without an amount keeps its text")
  func priceWithoutAmount() throws {
    let money = Money(low: nil, high: nil, currency: nil, text: "暂无报价")
    try store.insert(
      Entity(kind: "car_type", key: "x/1", values: ["price": .money(money)]))
    #expect(try store.entity(kind: "car_type", key: "x/1")?["price"] == .money(money))
  }

  @Test(
    "NaN and infinities are refused and nothing is changed", arguments: [Double.nan, .infinity])
  func notFinite(_ number: Double) throws {
    let car = Entity(kind: "car_type", key: "x/1", values: ["rating": .real(number)])
    #expect(throws: FavoritesError.self) { try store.insert(car) }
    #expect(try store.entity(kind: "car_type", key: "x/1") == nil)
  }

  @Test("a value of another type, an unknown field or kind, and a missing key are errors")
  func wrongValues() throws {
    let wrongType = Entity(kind: "car_type", key: "x/1", values: ["doors": "five"])
    let wrongField = Entity(kind: "news", key: "k", values: ["titel": "x"])
    let noKey = Entity(kind: "news", key: "", values: ["title": "x"])
    #expect(throws: FavoritesError.self) { try store.insert(wrongType) }
    #expect(throws: FavoritesError.self) { try store.insert(noKey) }
    let error = #expect(throws: FavoritesError.self) { try store.insert(wrongField) }
    #expect(error?.description.contains("did you mean \"title\"?") == true)
    let kind = #expect(throws: FavoritesError.self) { try store.contains(kind: "new", key: "x") }
    #expect(kind?.description.contains("did you mean \"news\"?") == true)
  }

  @Test("keys compare as bytes: composed and decomposed are two, a NUL ends nothing")
  func keysAreBytes() throws {
    let keys = ["caf\u{e9}", "cafe\u{301}", "a\u{0}b", "a\u{0}c", "a", " ", "A"]
    for key in keys { try store.insert(Entity(kind: "news", key: key)) }
    #expect(try store.count(Query(kind: "news")) == keys.count)
    for key in keys {
      #expect(
        try store.get(kind: "news", key: key)?.entity.key.utf8.elementsEqual(key.utf8) == true)
    }
    #expect(try !store.contains(kind: "news", key: "a\u{0}"))
    let found = try store.containing(kind: "news", keys: keys + ["none"])
    #expect(found.count == keys.count)
    #expect(!found.contains("none"))
  }

  @Test("a kind without identity makes a key for each")
  func autoKeys() throws {
    let person = Entity(kind: "person", key: "", values: ["name": "Ann", "age": 30])
    try store.insert(person)
    try store.insert(person)
    #expect(try store.count(Query(kind: "person")) == 2)
  }

  @Test("forty thousand keys in one call are all asked and all kept")
  func manyKeys() throws {
    let entities = (0..<40_000).map { Entity(kind: "news", key: "k\($0)") }
    let outcomes = try store.insert(entities)
    #expect(outcomes.allSatisfy { $0.outcome == .starred })
    let keys = entities.map(\.key)
    #expect(try store.containing(kind: "news", keys: keys).count == 40_000)
    #expect(try store.delete(kind: "news", keys: keys) == 40_000)
    #expect(try store.containing(kind: "news", keys: keys).isEmpty)
  }

  @Test("an absent value erases nothing, a new one replaces")
  func merging() throws {
    try store.insert(StoreFixture.item(1))
    try store.insert(
      Entity(kind: "news", key: StoreFixture.link(1), values: ["title": "New", "summary": "s"]))
    let entity = try #require(try store.entity(kind: "news", key: StoreFixture.link(1)))
    #expect(entity["title"] == "New")
    #expect(entity["summary"] == "s")
    #expect(entity["published"] != nil)
  }

  @Test("transactions nest, and an error rolls back to its own level")
  func nesting() throws {
    try store.transaction { () throws(FavoritesError) in
      try store.insert(StoreFixture.item(1))
      #expect(throws: FavoritesError.self) {
        try store.transaction { () throws(FavoritesError) in
          try store.insert(StoreFixture.item(2))
          throw FavoritesError.notFound("anything")
        }
      }
      try store.insert(StoreFixture.item(3))
    }
    #expect(try store.contains(StoreFixture.item(1)))
    #expect(try !store.contains(StoreFixture.item(2)))
    #expect(try store.contains(StoreFixture.item(3)))
    #expect(throws: FavoritesError.self) {
      try store.transaction { () throws(FavoritesError) in
        try store.insert(StoreFixture.item(4))
        throw FavoritesError.notFound("anything")
      }
    }
    #expect(try !store.contains(StoreFixture.item(4)))
    #expect(!store.isInTransaction)
    try store.insert(StoreFixture.item(5))
    #expect(try store.count(Query(kind: "news")) == 3)
  }
}
