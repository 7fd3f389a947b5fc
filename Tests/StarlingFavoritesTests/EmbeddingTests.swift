import StarlingFavorites
import StarlingModel
import Testing

/// The README's sample, with the public API alone.
@Suite struct EmbeddingTests {
  @Test("an app declares a kind, toggles, and fetches under a price")
  func sample() throws {
    let car = Kind(
      name: "car_type", key: .fields(["site", "uid"]),
      fields: [
        Field("site", .text), Field("uid", .text), Field("name", .text), Field("price", .money),
      ],
      indexes: ["price"])
    var model = KindModel()
    try model.merge([KindDeclaration(car)], from: "app")

    let store = try FavoritesStore(.memory, model: model)
    var entity = Entity(
      kind: "car_type", key: "", values: ["site": "cars.example", "uid": "7", "name": "L6"])
    entity["price"] = Money(parsing: "16.59-25.13万").map { .money($0) }
    #expect(try store.toggle(entity))
    let cheap = try store.fetch(
      Query(kind: "car_type", where: .test(field: "price", .below("20万")), limit: 50))
    #expect(cheap.map(\.entity.key) == ["cars.example/7"])
    #expect(try store.contains(kind: "car_type", key: "cars.example/7"))
    #expect(try !store.toggle(entity))
    #expect(try !store.contains(kind: "car_type", key: "cars.example/7"))
  }
}
