import StarlingFavorites

// What the screen lists. The kinds are those that the bundled plugins declare too, so that a feed that
// a plugin reads and a cell that the app shows are the same favorite.

struct News: FavoriteEntity {
  static let kind = "news"
  static let key = Kind.KeyRule.fields(["link"])
  static let indexes = ["published"]
  static let types = ["link": FieldType.url, "image": .url]

  var link: String
  var title: String
  var author: String?
  var image: String?
  var published: Timestamp?
}

struct Post: FavoriteEntity {
  static let kind = "post"
  static let key = Kind.KeyRule.fields(["site", "id"])

  var site: String
  var id: String
  var title: String
  /// What the forum is called, as the plugins and the importer write it.
  var forum: String?
  var replies: Int?
}

struct Forum: FavoriteEntity {
  static let kind = "forum"
  static let key = Kind.KeyRule.fields(["site", "id"])

  var site: String
  var id: String
  var title: String
}

struct CarSeries: FavoriteEntity {
  static let kind = "car_series"
  static let key = Kind.KeyRule.fields(["site", "id"])

  var site: String
  var id: String
  var name: String
  var price: Money?
}

struct CarType: FavoriteEntity {
  static let kind = "car_type"
  static let key = Kind.KeyRule.fields(["site", "uid"])
  static let indexes = ["price"]

  var site: String
  var uid: String
  var name: String
  /// What the series is called.
  var series: String?
  var price: Money?
}

/// What a cell shows of an entity.
protocol Listed: FavoriteEntity {
  var headline: String { get }
  var detail: String { get }
}

extension News: Listed {
  var headline: String { title }
  var detail: String { author ?? "" }
}

extension Post: Listed {
  var headline: String { title }
  var detail: String { "\(replies ?? 0) replies" }
}

extension Forum: Listed {
  var headline: String { title }
  var detail: String { site }
}

extension CarSeries: Listed {
  var headline: String { name }
  var detail: String { price?.text ?? "" }
}

extension CarType: Listed {
  var headline: String { name }
  var detail: String { price?.text ?? "" }
}
