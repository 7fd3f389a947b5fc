import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

@Suite struct MigrationTests {
  private func model(_ declarations: [KindDeclaration]) -> KindModel {
    KindModel.merging([("p", declarations)]).model
  }

  private let small = KindDeclaration(
    "thing", key: .fields(["id"]), fields: [Field("id", .text), Field("name", .text)])

  @Test("fields, indexes and kinds are added, and what is there stays")
  func adding() throws {
    let store = try FavoritesStore(.memory, model: model([small]))
    let entity = Entity(kind: "thing", key: "", values: ["id": "1", "name": "ÉCOLE"])
    try store.insert(entity)
    try store.register(
      model([
        KindDeclaration(
          "thing", key: .fields(["id"]),
          fields: [Field("price", .money), Field("id", .text), Field("name", .text)],
          indexes: ["name", "price"]),
        KindDeclaration("other", key: .auto, fields: [Field("x", .list)]),
      ]))
    #expect(store.model["thing"]?.fields.map(\.name) == ["id", "name", "price"])
    #expect(store.model["thing"]?.indexes == ["name", "price"])
    #expect(try store.get(kind: "thing", key: "1")?.entity["name"] == "ÉCOLE")
    // The new index finds the old text without regard to case.
    let found = try store.fetch(
      Query(kind: "thing", where: .test(field: "name", .is([.text("école")]))))
    #expect(found.count == 1)
    try store.insert(
      Entity(
        kind: "thing", key: "1",
        values: ["price": .money(Money(low: 1, high: 2, currency: nil, text: "1-2"))]))
    #expect(try store.entity(kind: "thing", key: "1")?["price"] != nil)
    try store.insert(Entity(kind: "other", key: "", values: ["x": .list(["a"])]))
    #expect(try store.check().isEmpty)
  }

  @Test("a field that no plugin declares today stays, with its values")
  func absentPlugin() throws {
    let store = try FavoritesStore(.memory, model: model([small]))
    try store.insert(Entity(kind: "thing", key: "", values: ["id": "1", "name": "n"]))
    try store.register(
      model([KindDeclaration("thing", key: .fields(["id"]), fields: [Field("id", .text)])]))
    #expect(try store.entity(kind: "thing", key: "1")?["name"] == "n")
  }

  @Test(
    "another type or key is refused with a way out, and nothing is changed",
    arguments: [
      KindDeclaration("thing", key: .fields(["id"]), fields: [Field("id", .integer)]),
      KindDeclaration("thing", key: .fields(["name"]), fields: [Field("name", .text)]),
      KindDeclaration("thing", key: .auto),
    ])
  func narrowing(_ declaration: KindDeclaration) throws {
    let store = try FavoritesStore(.memory, model: model([small]))
    let more = KindDeclaration("new", key: .auto, fields: [Field("x", .text)])
    let error = #expect(throws: FavoritesError.self) {
      try store.register(model([more, declaration]))
    }
    #expect(error?.description.contains("the database keeps what it has") == true)
    #expect(store.kinds.map(\.name) == ["thing"])
    #expect(throws: FavoritesError.self) { try store.count(Query(kind: "new")) }
    let refused = try store.register([("good", [more]), ("bad", [declaration])])
    #expect(refused.map(\.plugin) == ["bad"])
    #expect(refused.map(\.other) == ["the database"])
    #expect(store.kinds.map(\.name) == ["thing", "new"])
  }

  @Test(
    "a kind of which the file has nothing can be declared anew when it is opened again",
    arguments: [
      KindDeclaration("thing", key: .fields(["id"]), fields: [Field("id", .integer)]),
      KindDeclaration("thing", key: .auto, fields: [Field("name", .text)]),
    ])
  func unused(_ declaration: KindDeclaration) throws {
    let folder = TemporaryFolder()
    let file = FavoritesStore.Location.file(folder.path + "/a.db")
    let other = KindDeclaration("other", key: .auto, fields: [Field("x", .text)])
    do { _ = try FavoritesStore(file, model: model([small, other])) }
    // Somebody who has it open knows it as it is from now on.
    let open = try FavoritesStore(file)
    let store = try FavoritesStore(file)
    #expect(try store.register([("p", [declaration])]).isEmpty)
    let values = declaration.fields.map {
      ($0.name, $0.type == .text ? Value.text("7") : .integer(7))
    }
    try store.insert(
      Entity(kind: "thing", key: "", values: Dictionary(uniqueKeysWithValues: values)))
    try store.insert(Entity(kind: "other", key: "", values: ["x": "x"]))
    // It learns of it with its next look at the file.
    _ = try open.history()
    #expect(try open.fetch(Query(kind: "thing")).count == 1)
    try open.insert(Entity(kind: "other", key: "", values: ["x": "y"]))
    #expect(try store.count(Query(kind: "other")) == 2)
    #expect(try store.check().isEmpty)
    let again = try FavoritesStore(file)
    #expect(try again.register([("q", [small])]).map(\.plugin) == ["q"])
  }

  @Test("kinds that come in a transaction go with it, and can come again", arguments: [1, 2])
  func rolledBackKinds(levels: Int) throws {
    let store = try FavoritesStore(.memory)
    for _ in 0..<levels { try store.begin() }
    try store.register(model([small]))
    try store.insert(Entity(kind: "thing", key: "", values: ["id": "1"]))
    for _ in 0..<levels { store.rollback() }
    #expect(store.kinds.isEmpty)
    try store.register(model([small]))
    try store.insert(Entity(kind: "thing", key: "", values: ["id": "1"]))
    #expect(try store.contains(kind: "thing", key: "1"))
  }

  @Test("a kind of which there is a refusal only is in use")
  func refused() throws {
    let folder = TemporaryFolder()
    let file = FavoritesStore.Location.file(folder.path + "/a.db")
    do {
      let store = try FavoritesStore(file, model: model([small]))
      try store.delete(kind: "thing", key: "1", by: .hand, refuse: true)
    }
    #expect(throws: FavoritesError.self) {
      try FavoritesStore(file, model: model([KindDeclaration("thing", key: .auto)]))
    }
  }

  @Test("a registration that is rolled back leaves no kind behind, and can be made again")
  func rolledBack() throws {
    let store = try FavoritesStore(.memory, model: model([small]))
    let more = KindDeclaration("new", key: .fields(["x"]), fields: [Field("x", .text)])
    // A table of that name stands in the way of the second kind.
    try store.connection.execute("CREATE TABLE later (x)")
    #expect(throws: FavoritesError.self) {
      try store.register(
        model([more, KindDeclaration("later", key: .auto, fields: [Field("x", .text)])]))
    }
    #expect(store.kinds.map(\.name) == ["thing"])
    try store.register(model([more]))
    try store.insert(Entity(kind: "new", key: "1"))
    #expect(try store.contains(kind: "new", key: "1"))
  }

  @Test("kinds and fields whose names meet the store's own are told apart")
  func names() throws {
    let store = try FavoritesStore(.memory)
    let own = try store.connection.texts(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB '_*'")
    #expect(own.contains("favorites") && own.contains("why"))
    for name in own + ["sqlite_x", "favorite_x"] {
      let declaration = KindDeclaration(name, key: .auto, fields: [Field("x", .text)])
      let refused = try store.register([("p", [declaration])])
      #expect(refused.map(\.plugin) == ["p"] && store.model[name] == nil, "\(name)")
    }
    let fields = [
      Field("id", .text), Field("price", .money), Field("price_low", .real),
      Field("first_seen", .time), Field("name_folded", .text), Field("name", .text),
      Field("select", .text), Field("order", .integer),
    ]
    try store.register(
      model([
        KindDeclaration(
          "group", key: .fields(["id"]), fields: fields, indexes: ["name", "order", "price"])
      ]))
    let entity = Entity(
      kind: "group", key: "1",
      values: [
        "id": "1", "price": .money(Money(low: 1, high: 1, currency: "EUR", text: "1 €")),
        "price_low": 7.5, "first_seen": .time(Timestamp(secondsSinceEpoch: 5)),
        "name_folded": "f", "name": "É", "select": "s", "order": 3,
      ])
    try store.insert(entity)
    #expect(try store.entity(kind: "group", key: "1") == entity)
    let cheap = Query(kind: "group", where: .test(field: "price_low", .above(.integer(7))))
    #expect(try store.count(cheap) == 1)
    #expect(try store.check().isEmpty)
  }

  @Test("the schema reads like documentation, the views show times and prices as people read them")
  func readable() throws {
    let store = try StoreFixture.store()
    let schema = try store.connection.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    let table = try #require(schema.first { $0.hasPrefix("CREATE TABLE \"car_type\"") })
    #expect(table.contains("-- Entities of kind car_type, starred or not. Key: site, uid."))
    #expect(table.contains("\"price_low\" REAL"))
    #expect(table.contains("-- as published; the amount is in price_low to price_high"))
    for sql in schema where sql.hasPrefix("CREATE TABLE") && !sql.contains("_search_") {
      #expect(sql.contains("STRICT"))
    }
    try store.insert(StoreFixture.item(1), tags: ["a", "b"])
    func column(_ name: String) throws -> [String] {
      try store.connection.texts("SELECT \(name) FROM favorite_news")
    }
    #expect(try column("published") == ["1970-01-01T00:01:00Z"])
    #expect(try column("starred_at") == ["2027-01-15T08:00:00Z"])
    #expect(try column("tags") == ["a, b"])
    #expect(try store.connection.texts("SELECT by FROM why") == ["hand"])
    #expect(try store.connection.texts("SELECT action FROM changes") == ["star"])
  }

  @Test("many that open a file at once, while it is not there yet, all get all kinds")
  func together() async throws {
    let folder = TemporaryFolder()
    for round in 0..<40 {
      let path = "\(folder.path)/\(round).db"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask {
            let own = KindDeclaration("own\(number)", key: .auto, fields: [Field("x", .text)])
            let store = try FavoritesStore(.file(path), model: model([small]))
            try store.register(model([own, small]))
            try store.insert(
              Entity(kind: "thing", key: "", values: ["id": .text("\(number)")])
            )
          }
        }
        for try await _ in group {}
      }
      let store = try FavoritesStore(.file(path))
      #expect(store.kinds.count == 7)
      #expect(try store.count(Query(kind: "thing")) == 6)
    }
  }
}
