import StarlingModel
import Testing

@testable import Starling

@Suite struct CompleterTests {
  private func names(_ text: String, after chunk: String = "") throws -> [String] {
    let console = try ConsoleHarness()
    if !chunk.isEmpty { try console.run(chunk) }
    return console.session.complete(text).names
  }

  @Test("a function of a table")
  func members() throws {
    #expect(try names("favorites.fe") == ["fetch"])
    #expect(try names("return favorites.contain") == ["containing", "contains"])
    #expect(try names("print(favorites.co") == ["containing", "contains", "count"])
    #expect(try names("string.re") == ["rep", "reverse"])
    #expect(try names("nothing.at.all") == [])
    #expect(try names("f().x") == [])
    #expect(try names("1.5") == [])
    #expect(try names("\"done\"") == [])
  }

  @Test("a field by its name in brackets")
  func brackets() throws {
    #expect(try names("favorites[\"fe") == ["fetch"])
    #expect(try names("print(favorites['contain") == ["containing", "contains"])
    #expect(try names("_1[1][\"ti", after: "return { { title = 'a' } }") == ["title"])
    #expect(try names("f()[\"") == [])
    #expect(try names("nothing[\"") == [])
  }

  @Test("the fields of an entity, and the tags that there are")
  func entities() throws {
    #expect(try names("favorites.insert('news', { aut") == ["author"])
    #expect(try names("favorites.insert('news', { title = 'x', aut") == ["author"])
    #expect(try names("favorites.contains('news', { li").contains("link"))
    #expect(try names("favorites.insert('nosuch', { aut") == [])
    let tagged =
      "favorites.insert('news', { link = 'x', title = 't' }, { tags = { 'later', 'lua' } })"
    for text in [
      "favorites.fetch('news', { tag = 'la", "favorites.insert('news', 'x', { tags = { 'la",
      "favorites.tag('news', 'x', 'la", "favorites.tag('news', 'x', 'lua', 'la",
    ] {
      #expect(try names(text, after: tagged) == ["later"], "\(text)")
    }
  }

  @Test("what a query in SQL can name")
  func tables() throws {
    let names = try ConsoleHarness().session.tableNames
    #expect(Set(names).isSuperset(of: ["favorites", "tags", "news", "favorite_news", "link"]))
    #expect(!names.contains { $0.hasPrefix("_") || $0.hasPrefix("sqlite_") }, "\(names)")
  }

  @Test("globals and keywords")
  func globals() throws {
    #expect(try names("favori") == ["favorites"])
    #expect(try names("whi") == ["while"])
    #expect(try names("mine", after: "mine_too = 1") == ["mine_too"])
    #expect(try names("x = favorites.count('news') + favo") == ["favorites"])
  }

  @Test("fields of results, by index and name, and methods of texts")
  func paths() throws {
    let chunk = "return { { title = 'a', tags = { x1 = 1 } } }"
    #expect(try names("_[1].ti", after: chunk) == ["title"])
    #expect(try names("_1[1].tags.x", after: chunk) == ["x1"])
    #expect(try names("_[1][\"tags\"].", after: chunk) == ["x1"])
    #expect(try names("_[1].title:up", after: chunk) == ["upper"])
  }

  @Test(
    "kinds, where a kind is asked for",
    arguments: [
      "favorites.fetch(\"", "favorites.count('", "entities.each \"", "favorites.get(\"",
      "favorites.insert(\"", "for e in favorites.each(\"",
    ])
  func kinds(text: String) throws {
    #expect(try names(text) == ["news", "post", "car_type", "person"])
    #expect(try names(text + "ca") == ["car_type"])
  }

  @Test("no kinds where another text stands")
  func noKinds() throws {
    #expect(try names("favorites.get(\"news\", \"") == [])
    #expect(try names("print(\"") == [])
    #expect(try names("favorites.on(\"in") == ["insert"])
    #expect(try names("favorites.fetch(\"news\", { order = \"-pub") == ["-published"])
  }

  @Test("options of fetch, by name")
  func options() throws {
    let all = ["where", "order", "limit", "after", "tag", "text", "causes"]
    #expect(try names("favorites.fetch(\"news\", { ") == all)
    #expect(try names("favorites.fetch(\"news\", { limit = 5, o") == ["order"])
    #expect(try names("favorites.insert(\"news\", e, { t") == ["tags"])
    #expect(try names("favorites.undo { r") == ["run", "rule"])
    #expect(try names("favorites.undo({ r") == ["run", "rule"])
  }

  @Test("inside where, the fields of that kind and the words of the rules")
  func conditions() throws {
    let open = "favorites.fetch(\"car_type\", { limit = 3, where = { "
    let all = try names(open)
    for name in ["site", "uid", "price", "electric", "any", "not_", "below", "has"] {
      #expect(all.contains(name))
    }
    #expect(!all.contains("published"))
    #expect(!all.contains("print"))
    #expect(try names(open + "pr") == ["price"])
    #expect(try names(open + "price = be") == ["before", "below", "between"])
    #expect(try names(open + "price = below(20), el") == ["electric"])
    #expect(try names(open + "any { { en") == ["energy"])
    #expect(try names(open + "price = not_(bel") == ["below"])
    #expect(try names(open + "any { en") == ["energy"])
    #expect(try names(open + "energy = is { en") == ["end", "entities", "env"])
    #expect(try names(open + "energy = is { 'a' }, pr") == ["price"])
    #expect(try names("favorites.fetch('news', {\n  where = {\n    pub") == ["published"])
    // Behind it, the options again.
    #expect(try names(open + "price = below(20) }, or") == ["order"])
  }

  @Test("nothing of Lua runs, and nothing is raised, whatever the tables are")
  func hostile() throws {
    let console = try ConsoleHarness()
    try console.run(
      """
      ran = false
      local function lie() ran = true error("ran") end
      trap = setmetatable({ real = 1, [5] = 2, ["no name"] = 3, ["\\xFF"] = 4 },
        { __index = lie, __pairs = lie, __len = lie, __eq = lie, __metatable = false })
      loop = { } loop.loop = loop
      _G.again = _G
      big = {} for i = 1, 300000 do big["k" .. i] = i end
      """)
    let session = console.session
    #expect(session.complete("trap.").names == ["real"])
    #expect(session.complete("trap.ghost.").names == [])
    #expect(session.complete("loop.loop.loop.lo").names == ["loop"])
    #expect(session.complete("_G._G.again.again.favor").names == ["favorites"])
    #expect(session.complete("big.k29999").names.count <= 11)
    #expect(session.complete("trap[").names.contains("favorites"))
    for text in ["", "(((((", "}}}}", "end end", "\"\\", "[[", "--[[", "a.b.c[\"", "::", "x:", "."]
    {
      _ = session.complete(text)
      _ = session.complete(String(repeating: text, count: 50) + "favorites.fe")
    }
    #expect(try console.value("ran") == .boolean(false))
  }
}
