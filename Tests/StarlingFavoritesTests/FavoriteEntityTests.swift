import StarlingFavorites
import Testing

/// A type with a property of each sort.
private struct CarType: FavoriteEntity, Equatable {
  enum Energy: String, Codable, CaseIterable {
    case electric = "EV"
    case petrol = "PETROL"
  }

  static let kind = "car_type"
  static let key = Kind.KeyRule.fields(["site", "uid"])
  static let indexes = ["price"]
  static let types = ["photo": FieldType.url]

  var site: String
  var uid: Int64
  var name: String
  var energy: Energy?
  var price: Money?
  var photo: String?
  var page: URLReference?
  var doors: UInt8?
  var rating: Double = 0
  var isElectric = false
  var seenAt: Timestamp?
  var colors: [String] = []
  var markets: Set<String>?

  init(site: String = "cars.example", uid: Int64, name: String) {
    self.site = site
    self.uid = uid
    self.name = name
  }
}

private struct Person: FavoriteEntity, Equatable {
  static let kind = "person"
  static let key = Kind.KeyRule.auto

  var key: String?
  var name: String
  var age: Int
}

/// Two types of what cannot be mapped share the rest.
private protocol Odd: FavoriteEntity {}
extension Odd {
  static var kind: String { "odd" }
  static var key: Kind.KeyRule { .fields(["id"]) }
}

@Suite struct FavoriteEntityTests {
  private func store(_ types: [any FavoriteEntity.Type]) throws -> FavoritesStore {
    try FavoritesStore(.memory, model: KindModel(types))
  }

  @Test("a struct declares its kind: names in snake case, types, key and indexes")
  func declaration() throws {
    let declaration = try CarType.declaration
    #expect(declaration.name == "car_type")
    #expect(declaration.key == .fields(["site", "uid"]))
    #expect(declaration.indexes == ["price"])
    let fields = declaration.fields.map { "\($0.name) \($0.type.rawValue)" }
    #expect(
      fields == [
        "site text", "uid integer", "name text", "energy text", "price money", "photo url",
        "page url", "doors integer", "rating real", "is_electric boolean", "seen_at time",
        "colors list", "markets list",
      ])
    #expect(try Person.declaration.fields.map(\.name) == ["name", "age"])
  }

  @Test("a value comes back as it went in, every field set and every field absent")
  func roundTrip() throws {
    let store = try store([CarType.self])
    var full = CarType(uid: 9_007_199_254_740_993, name: "海豹")
    full.energy = .electric
    full.price = Money(parsing: "16.59-25.13万")
    full.photo = "https://cars.example/7.jpg"
    full.page = URLReference("https://cars.example/7?x=1#y")
    full.doors = 255
    full.rating = 4.5
    full.isElectric = true
    full.seenAt = Timestamp(secondsSinceEpoch: -1)
    full.colors = ["red", "\"blue\"", ""]
    full.markets = ["cn", "eu"]
    let bare = CarType(uid: 2, name: "")
    for car in [full, bare] { #expect(try store.insert(car).outcome == .starred) }
    #expect(try store.fetch(CarType.self).map(\.value).contains(full))
    #expect(try store.get(CarType.self, key: "cars.example/2")?.value == bare)
    #expect(try store.entity(CarType.self, key: "cars.example/9007199254740993") == full)
    let cheap = try store.fetch(
      CarType.self, where: .test(field: "price", .below("20万")),
      order: .field("uid", descending: false))
    #expect(cheap.map(\.key) == ["cars.example/9007199254740993"])
  }

  @Test("the verbs take values, and one look answers for a page of them")
  func verbs() throws {
    let store = try store([CarType.self])
    let cars = (1...50).map { CarType(uid: $0, name: "L\($0)") }
    #expect(try store.toggle(cars[0]))
    #expect(try store.insert(cars[1], tags: ["a"]).key == "cars.example/2")
    #expect(try store.containing(cars) == [true, true] + Array(repeating: false, count: 48))
    #expect(try store.count(CarType.self) == 2)
    #expect(try store.delete(cars[1]))
    #expect(try !store.delete(cars[2]))
    #expect(try !store.toggle(cars[0]))
    #expect(try !store.contains(cars[0]))
  }

  @Test("a kind without identity gets a key that the caller is given, and the value carries it")
  func auto() throws {
    let store = try store([Person.self])
    let ada = Person(name: "Ada", age: 36)
    #expect(try !store.contains(ada))
    #expect(throws: FavoritesError.self) { try store.toggle(ada) }
    let first = try store.insert(ada)
    let second = try store.insert(ada)
    #expect(first.outcome == .starred && second.outcome == .starred)
    #expect(first.key != second.key)
    let found = try #require(try store.get(Person.self, key: first.key))
    #expect(found.value == Person(key: first.key, name: "Ada", age: 36))
    #expect(try store.contains(found.value))
    #expect(try !store.toggle(found.value))
    #expect(try store.fetch(Person.self).map(\.key) == [second.key])
    // The same without a type.
    let untyped = try store.insert(Entity(kind: "person", key: "", values: ["name": "Bo"]))
    #expect(try store.get(kind: "person", key: untyped.key)?.entity["name"] == "Bo")
  }

  @Test("an insert over an old key gives the key of today")
  func aliases() throws {
    let store = try store([CarType.self])
    let car = CarType(uid: 1, name: "L6")
    try store.insert(car)
    try store.rekey(kind: "car_type", from: "cars.example/1", to: "new.example/1")
    let again = try store.insert(car)
    #expect(again.outcome == .already && again.key == "new.example/1")
  }

  private struct Picky: FavoriteEntity, Equatable {
    /// A text that is not empty.
    struct Code: Codable, Equatable {
      var text: String
      init(_ text: String) { self.text = text }
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard !text.isEmpty else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "empty")
        }
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
      }
    }
    enum Level: Int, Codable {
      case low = 1
      case high = 2
    }
    enum Mark: String, Codable { case good, bad }

    static let kind = "picky"
    static let key = Kind.KeyRule.fields(["code"])
    var code: Code
    var level: Level
    var marks: [Mark] = []
    var mark: Mark?
  }

  @Test("types that refuse some values are mapped by what they accept, or may be left out")
  func picky() throws {
    let fields = try Picky.declaration.fields.map { "\($0.name) \($0.type.rawValue)" }
    #expect(fields == ["code text", "level integer", "marks list", "mark text"])
    let store = try store([Picky.self])
    let value = Picky(code: Picky.Code("x"), level: .high, marks: [.good, .bad], mark: .bad)
    #expect(try store.insert(value).key == "x")
    #expect(try store.fetch(Picky.self).map(\.value) == [value])
  }

  // MARK: What cannot be mapped

  private struct Nested: Odd {
    struct Part: Codable { var x = 1 }
    var id = ""
    var part = Part()
  }
  private struct Empty: Odd {
    struct Nothing: Codable {}
    var id = ""
    var nothing = Nothing()
  }
  private struct Mapped: Odd {
    var id = ""
    var counts = ["a": 1]
  }
  private struct Numbers: Odd {
    var id = ""
    var numbers = [1, 2]
  }
  private struct Lists: Odd {
    var id = ""
    var lists = [["a"]]
  }
  private struct Reserved: Odd {
    var id = ""
    var note = ""
  }
  private struct Misnamed: Odd {
    var id = ""
    var größe = 1
  }
  private struct Twice: Odd {
    var id = ""
    var siteURL = ""
    var siteUrl = ""
  }
  private struct Payload: Odd {
    enum State: Codable {
      case on(Int)
      case off
    }
    var id = ""
    var state = State.off
  }
  private struct Unsure: Odd {
    /// A text of which only one is accepted.
    struct Mode: Codable {
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(String.self) == "left" else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "not left")
        }
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("left")
      }
    }
    var id = ""
    var mode = Mode()
  }
  private struct Misdefault: Odd {
    static let defaults: [String: Value] = ["count": "seven"]
    var id = ""
    var count = 7
  }
  private struct Lost: Odd {
    static let defaults: [String: Value] = ["cuont": 7]
    var id = ""
    var count = 7
  }
  private struct Wrong: Odd {
    static let types = ["id": FieldType.money]
    var id = ""
  }
  private struct Stray: Odd {
    static let types = ["ib": FieldType.url]
    var id = ""
  }
  private struct Single: Odd {
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer() }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("x")
    }
  }

  @Test(
    "what no field can hold is an error that names the field and the reason",
    arguments: [
      (Nested.self, "type Nested, field part: a nested value has no column"),
      (Empty.self, "type Empty, field nothing: a nested value has no column"),
      (Mapped.self, "type Mapped, field counts: a nested value has no column"),
      (Numbers.self, "type Numbers, field numbers: a list holds texts, and its elements are Int"),
      (Lists.self, "type Lists, field lists: a list holds texts"),
      (Reserved.self, "type Reserved, field note: the name is reserved"),
      (Misnamed.self, "type Misnamed, field größe: \"größe\" is no field's name"),
      (Twice.self, "type Twice, field site_url: `siteURL` and `siteUrl` both have this name"),
      (Payload.self, "type Payload, field state: a nested value has no column"),
      (Unsure.self, "type Unsure, field mode: Mode refuses made-up values"),
      (Wrong.self, "type Wrong, field id: `types` says money, and the property is text"),
      (Stray.self, "type Stray, field ib: `types` names it, and the type has no such property"),
      (Misdefault.self, "type Misdefault, field count: its default is a text, and the property is"),
      (Lost.self, "type Lost, field cuont: `defaults` names it, and the type has no such property"),
      (Single.self, "type Single: it decodes from one value"),
    ] as [(any FavoriteEntity.Type, String)])
  func unfit(type: any FavoriteEntity.Type, message: String) {
    do throws(FavoritesError) {
      let found = try type.declaration
      Issue.record("\(found)")
    } catch {
      #expect(error.description.hasPrefix(message), "\(error.description)")
      guard case .cannotMap = error else { Issue.record("\(error)"); return }
    }
  }

  private struct Free: Odd {
    static let fields = [
      Field("id", .text), Field("number", .real), Field("part", .text), Field("list", .list),
    ]
    struct Part: Codable { var x = 1 }
    var id = "1"
    var number: Double?
    var part: Part?
    var list: [Int]?
    var big: UInt64?
  }

  private struct Sparse: FavoriteEntity, Equatable {
    static let kind = "sparse"
    static let key: Kind.KeyRule = .fields(["id"])
    var id: String
    var names: [String?]
  }

  @Test("the optional texts of a list come back as they were")
  func optionalElements() throws {
    let store = try store([Sparse.self])
    let sparse = Sparse(id: "1", names: ["a", "b"])
    try store.insert(sparse)
    #expect(try store.fetch(Sparse.self).map(\.value) == [sparse])
  }

  @Test("a value that no field can hold is refused, and nothing is changed")
  func unfitValues() throws {
    let store = try store([Free.self])
    func fault(_ change: (inout Free) -> Void) -> String {
      var value = Free()
      change(&value)
      do throws(FavoritesError) {
        try store.insert(value)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(fault { $0.number = .infinity }.hasPrefix("type Free, field number: a number that is"))
    #expect(fault { $0.part = Free.Part() }.hasPrefix("type Free, field part: a nested value"))
    #expect(fault { $0.list = [1] }.hasPrefix("type Free, field list: a list holds texts, and"))
    #expect(fault { $0.big = .max }.contains("field big: 18446744073709551615 is beyond 64 bits"))
    #expect(fault { $0.big = 1 } == "kind odd has no field \"big\"")
    #expect(try store.count(Free.self) == 0)
  }

  @Test("an entity that does not fit the type is an error that names the field, never a trap")
  func misfits() throws {
    func fault(_ values: [String: Value]) -> String {
      do throws(FavoritesError) {
        let entity = Entity(kind: "car_type", key: "k", values: values)
        return "\(try entity.decode(CarType.self))"
      } catch {
        return error.description
      }
    }
    let needed: [String: Value] = [
      "uid": 1, "rating": 1.0, "is_electric": true, "site": "s", "name": "n",
    ]
    #expect(fault(needed).hasPrefix("CarType"))
    #expect(
      fault([:]).hasPrefix(
        "car_type k is no CarType: field uid: it is absent, and an integer is wanted"))
    #expect(fault(needed.merging(["doors": 300]) { $1 }).contains("field doors: 300 does not fit"))
    #expect(fault(needed.merging(["uid": 1.5]) { $1 }).contains("field uid: it is a real"))
    #expect(fault(needed.merging(["uid": 1e300]) { $1 }).contains("field uid: it is a real"))
    #expect(fault(needed.merging(["name": 7]) { $1 }).contains("field name: it is an integer"))
    #expect(fault(needed.merging(["energy": "STEAM"]) { $1 }).contains("field energy: "))
    #expect(fault(needed.merging(["price": "7"]) { $1 }).contains("field price: it is a text"))
    let other = Entity(kind: "news", key: "k")
    #expect(throws: FavoritesError.self) { try other.decode(CarType.self) }
  }

  // MARK: Versions

  /// As it was, and as the next version of an app has it.
  private struct Gauge: FavoriteEntity {
    static let kind = "gauge"
    static let key = Kind.KeyRule.fields(["name"])
    var name: String
  }
  private struct Gauge2: FavoriteEntity {
    enum Unit: String, Codable { case celsius, kelvin }
    static let kind = "gauge"
    static let key = Kind.KeyRule.fields(["name"])
    var name: String
    var year: Int
    var unit: Unit
  }
  private struct Gauge3: FavoriteEntity {
    static let kind = "gauge"
    static let key = Kind.KeyRule.fields(["name"])
    static let defaults: [String: Value] = ["year": 2000, "unit": "kelvin", "checked_at": 0]
    var name: String
    var year: Int
    var unit: Gauge2.Unit?
    var checkedAt: Timestamp
  }

  @Test("what lacks a property that must be there is named, and the others can be had without it")
  func absent() async throws {
    let store = try store([Gauge.self])
    try store.insert([Gauge(name: "old"), Gauge(name: "older")])
    try store.register([Gauge2.self])
    try store.insert(Gauge2(name: "new", year: 2026, unit: .celsius))
    let order = Query.Order.field("name", descending: true)
    #expect {
      try store.fetch(Gauge2.self, order: order)
    } throws: { error in
      guard case .unfit("gauge", "older", "Gauge2", "year", _) = error as? FavoritesError else {
        return false
      }
      return "\(error)".hasPrefix(
        "gauge older is no Gauge2: field year: it is absent, and an integer is wanted;")
    }
    var skipped: [String] = []
    let fit = try store.fetch(Gauge2.self, order: order) { favorite, reason in
      skipped.append("\(favorite.entity.key) \(reason)")
    }
    #expect(fit.map(\.key) == ["new"])
    #expect(skipped.map { $0.prefix(5) } == ["older", "old g"])
    let page = try store.page(Gauge2.self, Query(kind: "gauge", limit: 2)) { _, _ in }
    #expect(page.rows.count == 1 && page.next != nil)
    var lists = try store.updates(of: Gauge2.self, skipping: { _, _ in }).makeAsyncIterator()
    #expect(try await lists.next()?.map(\.key) == ["new"])
    var strict = try store.updates(of: Gauge2.self).makeAsyncIterator()
    await #expect(throws: FavoritesError.self) { try await strict.next() }
  }

  @Test("a default stands for what an older version, a plugin or a script did not store")
  func defaults() throws {
    let store = try store([Gauge.self])
    try store.insert(Gauge(name: "old"))
    try store.register([Gauge3.self])
    let old = try #require(try store.get(Gauge3.self, key: "old")?.value)
    #expect(old.year == 2000 && old.unit == .kelvin && old.checkedAt.secondsSinceEpoch == 0)
    #expect(try store.get(kind: "gauge", key: "old")?.entity["year"] == nil, "nothing was changed")
    try store.insert(old)
    #expect(try store.get(kind: "gauge", key: "old")?.entity["year"] == 2000)
  }

  private struct Weather: Odd, Equatable {
    enum Sky: String, Codable { case clear = "wolkenlos", overcast = "bedeckt" }
    enum Force: Int64, Codable { case light = 3, storm = 11 }
    enum Only: String, Codable { case this = "nur dies" }
    var id: String
    var sky: Sky
    var force: Force
    var only: Only
    var later: [Sky]
  }

  @Test("an enum needs nothing but its raw values")
  func enums() throws {
    let fields = try Weather.declaration.fields.map { "\($0.name) \($0.type.rawValue)" }
    #expect(fields == ["id text", "sky text", "force integer", "only text", "later list"])
    let store = try store([Weather.self])
    let today = Weather(id: "1", sky: .overcast, force: .storm, only: .this, later: [.clear])
    try store.insert(today)
    #expect(try store.fetch(Weather.self).map(\.value) == [today])
  }

  @Test("many values are inserted and deleted as one change, or none of them")
  func many() throws {
    let store = try store([CarType.self, Free.self])
    let cars = (1...3).map { CarType(uid: $0, name: "L\($0)") }
    let inserted = try store.insert(cars, tags: ["new"])
    #expect(inserted.map(\.key) == ["cars.example/1", "cars.example/2", "cars.example/3"])
    #expect(throws: FavoritesError.self) {
      try store.insert([Free(id: "a"), Free(id: "b", number: .nan)])
    }
    #expect(try store.count(Free.self) == 0)
    #expect(try store.delete(cars + [CarType(uid: 9, name: "")], refuse: false) == 3)
    #expect(try store.count(CarType.self) == 0)
  }

  @Test("a type that contradicts the file's kind is refused with the field")
  func conflict() throws {
    let kind = Kind(name: "person", key: .auto, fields: [Field("age", .text)])
    var model = KindModel()
    try model.merge([KindDeclaration(kind)], from: "file")
    let store = try FavoritesStore(.memory, model: model)
    #expect {
      try store.register([Person.self])
    } throws: { error in
      guard case .kindConflict(let conflict) = error as? FavoritesError else { return false }
      return conflict.field == "age"
    }
  }

  private struct Rekeyed: FavoriteEntity {
    static let kind = "gauge"
    static let key = Kind.KeyRule.fields(["name", "year"])
    var name: String
    var year: Int?
  }

  @Test("a type with another key than the file's is told how to change it, and that works")
  func anotherKey() throws {
    let folder = TemporaryFolder()
    let file = FavoritesStore.Location.file(folder.path + "/a.db")
    try FavoritesStore(file, model: KindModel([Gauge.self])).insert(Gauge(name: "old"))
    do throws(FavoritesError) {
      _ = try FavoritesStore(file, model: KindModel([Rekeyed.self]))
      Issue.record("it was opened")
    } catch {
      #expect(
        error.description == "the app: kind gauge: its key is { \"name\", \"year\" }, which was"
          + " { \"name\" } before (declared by the database); the database keeps what it has: open it"
          + " without this kind, give the kind its new key with rekey, and register it then (guide"
          + " Embedding, \"Another key\")")
    }
    do {
      let store = try FavoritesStore(file)
      let preview = try #require(try store.rekey(Rekeyed.self, apply: false))
      #expect(preview.unchanged == 1 && preview.run == nil)
      #expect(store.kinds.first?.fields.map(\.name) == ["name"], "a preview adds no field")
      #expect(try store.rekey(Rekeyed.self, apply: true) != nil)
      #expect(try store.rekey(Rekeyed.self, apply: true) == nil, "there is nothing left to do")
      #expect(try store.rekey(Person.self, apply: true) == nil, "no such kind")
    }
    let store = try FavoritesStore(file, model: KindModel([Rekeyed.self]))
    #expect(try store.contains(Rekeyed(name: "old", year: nil)))
    #expect(throws: FavoritesError.self) { try store.rekey(Wrong.self, apply: true) }
  }
}
