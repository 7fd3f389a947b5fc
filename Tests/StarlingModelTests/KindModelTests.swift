import Testing

@testable import StarlingModel

@Suite struct KindModelTests {
  let post = KindDeclaration(
    "post", key: .fields(["site", "id"]),
    fields: [Field("site", .text), Field("id", .text), Field("likes", .integer)])

  @Test("a later plugin adds fields and indexes behind those that are there")
  func addsFields() throws {
    var model = KindModel()
    try model.merge([post], from: "forum")
    try model.merge(
      [KindDeclaration("post", fields: [Field("mood", .text)], indexes: ["mood", "likes"])],
      from: "mood")
    #expect(model["post"]?.fields.map(\.name) == ["site", "id", "likes", "mood"])
    #expect(model["post"]?.indexes == ["mood", "likes"])
    #expect(model.declarer(ofKind: "post", field: "mood") == "mood")
  }

  @Test("whoever declares more than a table can hold is refused alone")
  func bounds() throws {
    let names = (1...KindModel.mostFields).map { "f\($0)" }
    let fields = names.map { Field($0, .money) }
    let (model, refused) = KindModel.merging([
      ("wide", [KindDeclaration("a", key: .auto, fields: fields)]),
      ("wider", [KindDeclaration("a", fields: [Field("one_more", .text)])]),
      ("indexes", [KindDeclaration("a", indexes: names)]),
      ("long", [KindDeclaration(String(repeating: "k", count: 65), key: .auto)]),
      ("good", [KindDeclaration("b", key: .auto, fields: [Field("x", .text)])]),
    ])
    #expect(refused.map(\.plugin) == ["wider", "indexes", "long"])
    #expect(model["a"]?.fields.count == KindModel.mostFields)
    #expect(model["a"]?.indexes.isEmpty == true)
    #expect(model["b"] != nil)
  }

  @Test(
    "a name that the database has for itself is refused alone",
    arguments: ["favorites", "kinds", "changes", "favorite_news", "sqlite_stat1"])
  func reserved(name: String) {
    let (model, refused) = KindModel.merging([
      ("bad", [KindDeclaration(name, key: .auto, fields: [Field("x", .text)])]),
      ("good", [KindDeclaration("news", key: .auto, fields: [Field("x", .text)])]),
    ])
    #expect(refused.map(\.plugin) == ["bad"] && model.kinds.map(\.name) == ["news"])
    #expect(refused.first?.description.hasPrefix("bad: kind \(name)") == true)
  }

  @Test("a field of another type is refused with both plugins and the field named")
  func typeConflict() throws {
    var model = KindModel()
    try model.merge([post], from: "forum")
    let before = model.kinds
    let error = #expect(throws: KindConflict.self) {
      try model.merge(
        [
          KindDeclaration("thing", key: .auto, fields: [Field("a", .text)]),
          KindDeclaration("post", fields: [Field("likes", .text)]),
        ], from: "other")
    }
    #expect(error?.plugin == "other")
    #expect(error?.other == "forum")
    #expect(error?.field == "likes")
    #expect(error?.description.contains("text here and integer there") == true)
    #expect(model.kinds == before, "the newcomer is refused as a whole")
  }

  @Test("another key is refused")
  func keyConflict() throws {
    var model = KindModel()
    try model.merge([post], from: "forum")
    #expect(throws: KindConflict.self) {
      try model.merge([KindDeclaration("post", key: .fields(["id"]))], from: "other")
    }
  }

  @Test(
    "a declaration that is wrong by itself is refused",
    arguments: [
      KindDeclaration("Post", key: .auto), KindDeclaration("tags", key: .auto),
      KindDeclaration("a", key: .fields([])), KindDeclaration("a", key: .fields(["x"])),
      KindDeclaration("a", key: .fields(["x"]), fields: [Field("x", .money)]),
      KindDeclaration("a", key: .fields(["x", "x"]), fields: [Field("x", .text)]),
      KindDeclaration("a", key: .auto, fields: [Field("note", .text)]),
      KindDeclaration("a", key: .auto, fields: [Field("x", .text), Field("x", .real)]),
      KindDeclaration("a", key: .auto, indexes: ["x"]),
      KindDeclaration("a", key: .auto, fields: [Field("x", .list)], indexes: ["x"]),
      KindDeclaration(sharing: "a"),
    ])
  func wrong(_ declaration: KindDeclaration) {
    var model = KindModel()
    #expect(throws: KindConflict.self) { try model.merge([declaration], from: "p") }
    #expect(model.kinds.isEmpty)
  }

  @Test("a plugin may share a kind that a later plugin declares")
  func sharing() {
    let (model, refused) = KindModel.merging([
      ("mood", [KindDeclaration(sharing: "post")]), ("forum", [post]),
      ("lost", [KindDeclaration(sharing: "nowhere")]),
    ])
    #expect(model.kinds.map(\.name) == ["post"])
    #expect(refused.map(\.plugin) == ["lost"])
  }
}
