import Testing

@testable import StarlingModel

@Suite struct EntityKeyTests {
  let post = Kind(
    name: "post", key: .fields(["site", "id"]), fields: [Field("site", .text), Field("id", .text)])
  let news = Kind(name: "news", key: .fields(["link"]), fields: [Field("link", .url)])

  private func keys(_ entity: Entity, _ kind: Kind) -> [String?] {
    var record = EntityRecord()
    record.fill(from: entity, kind: kind)
    let made = EntityKey.setKey(of: &record, kind: kind)
    return [EntityKey.key(of: entity, kind: kind), made ? record.string(record.key) : nil]
  }

  @Test("parts are joined, escaped, and left out when empty; value and record agree")
  func parts() {
    let cases: [([String: Value], String?)] = [
      (["site": "meta.discourse.org", "id": "5"], "meta.discourse.org/5"),
      (["site": "a/b", "id": "100%"], "a%2Fb/100%25"),
      (["site": "", "id": "5"], "5"), (["id": "5"], "5"), ([:], nil),
      (["site": "", "id": ""], nil),
    ]
    for (values, key) in cases {
      #expect(keys(Entity(kind: "post", key: "", values: values), post) == [key, key])
    }
  }

  @Test("one field is the key as it is")
  func single() {
    let link = "https://e.example/a%20b/c?d=100%"
    #expect(
      keys(Entity(kind: "news", key: "", values: ["link": .text(link)]), news) == [link, link])
  }

  @Test("a number and its digits give the same key, a fraction gives none")
  func numbers() {
    let kind = Kind(name: "n", key: .fields(["id"]), fields: [Field("id", .integer)])
    for (value, key) in [
      (Value.integer(7), "7"), (.text("7"), "7"), (.text("007"), "007"), (.real(7), "7"),
      (.integer(9_007_199_254_740_993), "9007199254740993"),
    ] {
      #expect(keys(Entity(kind: "n", key: "", values: ["id": value]), kind) == [key, key])
    }
    for value in [Value.real(7.5), .real(.nan), .real(1e300)] {
      #expect(keys(Entity(kind: "n", key: "", values: ["id": value]), kind) == [nil, nil])
    }
    #expect(EntityKey.text(ofNumber: 7.0) == "7")
    #expect(EntityKey.text(ofNumber: .infinity) == nil)
  }

  @Test("a typed key gives its fields back")
  func back() {
    #expect(
      EntityKey.values(ofKey: "a%2Fb/100%25", kind: post) == ["site": "a/b", "id": "100%"])
    #expect(EntityKey.values(ofKey: "5", kind: post) == nil)
    #expect(EntityKey.values(ofKey: "https://e/x/y", kind: news) == ["link": "https://e/x/y"])
  }

  @Test("keys of the same look and other bytes are two keys")
  func bytes() {
    let composed = Entity(kind: "n", key: "caf\u{e9}")
    let decomposed = Entity(kind: "n", key: "cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }
}
