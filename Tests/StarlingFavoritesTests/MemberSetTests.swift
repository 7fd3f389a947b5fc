import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

@Suite struct MemberSetTests {
  private func has(_ members: MemberSet, _ key: String) -> Bool {
    Array(key.utf8).withUnsafeBytes { members.contains($0) }
  }

  @Test(
    "the set has the favorites of its kind alone, be they few or most of the entities",
    arguments: [1, 2, 3, 10, 50, 1000])
  func share(_ step: Int) throws {
    let store = try StoreFixture.store()
    try store.transaction { () throws(FavoritesError) in
      for number in 0..<1000 {
        try store.insert(StoreFixture.item(number))
        try store.insert(
          Entity(kind: "car_type", key: "", values: ["site": "s", "uid": .text("\(number)")]))
        if number % step != 0 { try store.delete(kind: "news", key: StoreFixture.link(number)) }
      }
    }
    let members = try store.members(try store.handle(kind: "news"))
    #expect(members.count == (999 / step) + 1)
    for number in 0..<1000 {
      #expect(has(members, StoreFixture.link(number)) == (number % step == 0))
    }
    #expect(!has(members, "s/1"))
    let cars = try store.members(try store.handle(kind: "car_type"))
    #expect(cars.count == 1000)
    #expect(has(cars, "s/999"))
    let people = try store.members(try store.handle(kind: "person"))
    #expect(people.count == 0)
    #expect(!has(people, "s/1"))
  }

  @Test("rowids that lie far apart are read one by one")
  func farApart() throws {
    let store = try StoreFixture.store()
    for number in 0..<3 { try store.insert(StoreFixture.item(number)) }
    try store.connection.execute(
      """
      UPDATE news SET rowid = 4611686018427387904 WHERE key = '\(StoreFixture.link(2))';
      UPDATE favorites SET entity = 4611686018427387904 WHERE entity = 3
      """)
    let handle = try store.handle(kind: "news")
    #expect(try FavoriteMarks(ofKind: handle.id, on: store.connection) == nil)
    let members = try store.members(handle)
    #expect(members.count == 3)
    #expect(has(members, StoreFixture.link(2)))
  }

  @Test("an old key of a favorite is found among a page of keys")
  func aliasInPage() throws {
    let store = try StoreFixture.store()
    for number in 0..<100 { try store.insert(StoreFixture.item(number)) }
    try store.rekey(kind: "news", from: StoreFixture.link(70), to: "https://e.example/new")
    let keys = (0..<150).map { StoreFixture.link($0) } + ["https://e.example/new"]
    let found = try store.containing(kind: "news", keys: keys)
    for (number, key) in keys.enumerated() {
      #expect(found.contains(key) == (number < 100 || number == 150), "\(key)")
    }
  }

  @Test("an old key of a favorite is a member, within a transaction too")
  func aliases() throws {
    let store = try StoreFixture.store()
    for number in 0..<5 { try store.insert(StoreFixture.item(number)) }
    try store.transaction { () throws(FavoritesError) in
      try store.rekey(kind: "news", from: StoreFixture.link(1), to: "https://e.example/new")
      let members = try store.members(try store.handle(kind: "news"))
      #expect(has(members, "https://e.example/new"))
      #expect(has(members, StoreFixture.link(1)))
      #expect(members.count == 5)
    }
  }
}
