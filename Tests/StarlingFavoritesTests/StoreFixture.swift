import StarlingModel

@testable import StarlingFavorites

/// Kinds, a clock that stands, and entities for the tests.
enum StoreFixture {
  static let news = Kind(
    name: "news", key: .fields(["link"]),
    fields: [
      Field("link", .url), Field("title", .text), Field("summary", .text),
      Field("categories", .list), Field("published", .time),
    ], indexes: ["title", "published"])
  static let car = Kind(
    name: "car_type", key: .fields(["site", "uid"]),
    fields: [
      Field("site", .text), Field("uid", .text), Field("name", .text), Field("energy", .text),
      Field("price", .money), Field("doors", .integer), Field("rating", .real),
      Field("electric", .boolean), Field("url", .url),
    ], indexes: ["energy", "price"])
  static let person = Kind(
    name: "person", key: .auto, fields: [Field("name", .text), Field("age", .integer)])

  static var model: KindModel {
    KindModel.merging([("fixture", [news, car, person].map { KindDeclaration($0) })]).model
  }

  static let noon = Timestamp(secondsSinceEpoch: 1_800_000_000)

  static func options(now: Timestamp = noon) -> StoreOptions {
    StoreOptions(clock: { now })
  }

  static func store() throws(FavoritesError) -> FavoritesStore {
    try FavoritesStore(.memory, model: model, options: options())
  }

  /// A store whose clock goes on by a second each time that it is asked.
  static func ticking(_ model: KindModel = model) throws(FavoritesError) -> FavoritesStore {
    var now = noon
    return try FavoritesStore(
      .memory, model: model,
      options: StoreOptions(clock: {
        now = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 1)
        return now
      }))
  }

  static func item(_ number: Int, title: String? = nil) -> Entity {
    Entity(
      kind: "news", key: "",
      values: [
        "link": .text("https://e.example/\(number)"), "title": .text(title ?? "Item \(number)"),
        "published": .time(Timestamp(secondsSinceEpoch: Int64(number) * 60)),
      ])
  }

  static func link(_ number: Int) -> String { "https://e.example/\(number)" }
}

/// A clock that goes on when it is told to.
final class TestClock {
  private var now = StoreFixture.noon

  func read() -> Timestamp { now }

  func advance(_ seconds: Int64) {
    now = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + seconds)
  }
}
