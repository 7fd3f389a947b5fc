import StarlingFavorites
import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite struct LookFunctionsTests {
  private func filled() throws -> ScriptHarness {
    let lua = try ScriptHarness()
    try lua.run(
      """
      for i = 1, 40 do
        favorites.insert("news", { link = "https://n.example/" .. i, title = "Story " .. i,
          published = 1700000000 + i, categories = { "a", "b" .. i } }, { tags = { i % 2 == 0 and "even" or "odd" } })
      end
      favorites.insert("post", { site = "f.example", id = 9007199254740993, title = "Post",
        url = "https://f.example/t/5", likes = 7 })
      favorites.insert("car_type", { site = "c.example", uid = "007", name = "X",
        price = money.parse("16.59-25.13万"), electric = true, weight = 1.5 })
      favorites.insert("car_type", { site = "c.example", uid = 8, name = "Y", price = "暂无报价" })
      """)
    return lua
  }

  @Test("contains answers for a kind and a key, an entity, and an address")
  func contains() throws {
    let lua = try filled()
    for question in [
      "'news', 'https://n.example/7'", "{ kind = 'news', link = 'https://n.example/7' }",
      "'news', { link = 'https://n.example/7' }", "{ url = 'https://n.example/7' }",
      "{ url = 'https://f.example/t/5' }", "'post', 'f.example/9007199254740993'",
      "{ kind = 'car_type', site = 'c.example', uid = 8.0 }",
      "'car_type', { site = 'c.example', uid = '007' }",
    ] {
      #expect(try lua.value("favorites.contains(\(question))") == .boolean(true), "\(question)")
    }
    for question in [
      "'news', 'https://n.example/77'", "'news', { link = 'x' }", "{ url = 'https://x.example' }",
      "'post', 5", "'car_type', 'c.example/7'", "'news', 'https://n.example/7 '",
      "'news', 'https://n.example/7\\0'",
    ] {
      #expect(try lua.value("favorites.contains(\(question))") == .boolean(false), "\(question)")
    }
  }

  @Test(
    "a question that cannot be asked is an error, never no",
    arguments: [
      ("'new', 'k'", "bad argument #1 to 'contains' (there is no kind \"new\"; did you mean"),
      ("'news', 1.5", "bad argument #2 to 'contains' (a number with a fraction is no key)"),
      ("'news', 0/0", "bad argument #2 to 'contains' (a number with a fraction is no key)"),
      ("'news'", "bad argument #2 to 'contains' (key expected, got no value)"),
      ("'news', ''", "bad argument #2 to 'contains' (the key is empty)"),
      ("'news', true", "bad argument #2 to 'contains' (key expected, got boolean)"),
      ("5, 'k'", "bad argument #1 to 'contains' (kind or entity expected, got number)"),
      ("{ link = 'x' }", "the entity does not say its kind"),
      ("{ kind = 'news', lnk = 'x' }", "has no field `lnk`"),
      ("{ kind = 'news', title = 'x' }", "no key for a `news`"),
      ("nil, 'k'", "bad argument #1 to 'contains' (string or table expected, got nil)"),
    ])
  func misuse(question: String, message: String) throws {
    let lua = try filled()
    let failure = try #require(lua.failure("return favorites.contains(\(question))"))
    #expect(failure.hasPrefix("test.lua:1: "))
    #expect(failure.contains(message), "\(failure)")
  }

  @Test("containing gives the favorites of a page of keys, under the keys as they were given")
  func containing() throws {
    let lua = try filled()
    #expect(
      try lua.value(
        "favorites.containing('news', { 'https://n.example/1', 'x', 'https://n.example/2', 5 })")
        == .table([
          .string("https://n.example/1"): .boolean(true),
          .string("https://n.example/2"): .boolean(true),
        ]))
    let failure = try #require(lua.failure("favorites.containing('news', { 'a', {} })"))
    #expect(failure.contains("bad argument #2 to 'containing' ([2]: key expected, got table)"))
  }

  @Test(
    "containing refuses a table that is no list, whatever else is in it",
    arguments: [
      ("{ a = 1 }", "the field \"a\""), ("{ 'x', 'y', a = 1 }", "the field \"a\""),
      ("{ link = 'https://n.example/1' }", "the field \"link\""), ("{ [1.5] = 'x' }", "number"),
      ("{ [0] = 'x', 'y' }", "number"), ("{ [{}] = 'x' }", "table"),
    ])
  func noList(_ keys: String, _ what: String) throws {
    let failure = try #require(try filled().failure("favorites.containing('news', \(keys))"))
    let why = "bad argument #2 to 'containing' (a list of keys expected, got a table with "
    #expect(failure.contains(why) && failure.contains(what), "\(failure)")
  }

  @Test("containing takes pages of any length, with holes, doubles and numbers in between")
  func containingLong() throws {
    let lua = try filled()
    let values = try lua.run(
      """
      favorites.insert("post", { site = "", id = "7" })
      local keys, wrong = {}, 0
      for i = 1, 500 do keys[i] = "https://n.example/" .. i % 90 end
      for i = 63, 500, 65 do keys[i] = nil end
      local found = favorites.containing("news", keys)
      for i = 0, 89 do
        local key = "https://n.example/" .. i
        if (found[key] == true) ~= favorites.contains("news", key) then wrong = wrong + 1 end
      end
      local numbers = favorites.containing("post", { "a", "b", "c", "d", 7, "e", 8, "7" })
      return wrong, numbers[7], numbers["7"], numbers[8]
      """)
    #expect(values == [.integer(0), .boolean(true), .boolean(true), .nil])
  }

  @Test("members is a snapshot that can be refreshed")
  func members() throws {
    let lua = try filled()
    let values = try lua.run(
      """
      local m = favorites.members("news")
      local before = { m["https://n.example/3"], m["x"], m("refresh"), #m }
      favorites.delete("news", "https://n.example/3")
      local stale = m["https://n.example/3"]
      m:refresh()
      return before[1], before[2], before[3], before[4], stale, m["https://n.example/3"], #m
      """)
    #expect(
      values == [
        .boolean(true), .boolean(false), .boolean(false), .integer(40), .boolean(true),
        .boolean(false), .integer(39),
      ])
    #expect(lua.failure("favorites.members('news').x = 1") != nil)
  }

  @Test("get gives fields as Lua values, with tags, note and causes")
  func get() throws {
    let lua = try filled()
    let car = try lua.value("favorites.get('car_type', 'c.example/007')")
    #expect(car["kind"] == .string("car_type"))
    #expect(car["key"] == .string("c.example/007"))
    #expect(car["uid"] == .string("007"))
    #expect(car["electric"] == .boolean(true))
    #expect(car["weight"] == .number(1.5))
    #expect(car["price"]?["low"] == .integer(165_900))
    #expect(car["price"]?["text"] == .string("16.59-25.13万"))
    #expect(car["starred_at"] == .integer(1_780_000_000))
    #expect(car["tags"] == .array([]))
    #expect(car["note"] == nil)
    #expect(
      car["causes"]
        == .array([
          .table([
            .string("by"): .string("script"), .string("script"): .string("test.lua"),
            .string("at"): .integer(1_780_000_000),
          ])
        ]))
    let price = try lua.value("favorites.get('car_type', 'c.example/8').price")
    #expect(price == .table([.string("text"): .string("暂无报价")]))
    let news = try lua.value("favorites.get({ kind = 'news', link = 'https://n.example/2' })")
    #expect(news["categories"] == .array([.string("a"), .string("b2")]))
    #expect(news["published"] == .integer(1_700_000_002))
    #expect(news["tags"] == .array([.string("even")]))
    #expect(try lua.value("favorites.get('news', 'nothing')") == .nil)
  }

  @Test("fetch takes where, order, limit, tag and text, and pages by a cursor")
  func fetch() throws {
    let lua = try filled()
    let page = try lua.run(
      """
      local titles = {}
      local rows, next = favorites.fetch("news", { where = { published = above(1700000010) },
        order = "published", tag = "even", limit = 3 })
      for _, row in ipairs(rows) do titles[#titles + 1] = row.title end
      rows, next = favorites.fetch("news", { where = { published = above(1700000010) },
        order = "published", tag = "even", limit = 3, after = next })
      for _, row in ipairs(rows) do titles[#titles + 1] = row.title end
      return table.concat(titles, ","), type(next)
      """)
    #expect(
      page == [
        .string("Story 12,Story 14,Story 16,Story 18,Story 20,Story 22"), .string("string"),
      ])
    #expect(
      try lua.value("favorites.fetch('car_type', { where = { price = below('20万') } })[1].name")
        == .string("X"))
    #expect(try lua.value("#favorites.fetch('news')") == .integer(40))
    #expect(try lua.value("favorites.fetch('person')") == .array([]))
  }

  @Test(
    "an option, a field or a cursor that there is not is an error with the nearest right one",
    arguments: [
      (
        "{ oder = 'x' }",
        "bad argument #2 to 'fetch' (fetch has no option `oder`; did you mean `order`?)"
      ),
      ("{ order = 'publishd' }", "did you mean \"published\"?"),
      ("{ where = { titel = 'x' } }", "did you mean"),
      ("{ where = { title = above('x') } }", "title"),
      ("{ limit = -1 }", "limit: a whole number from 0 on expected"),
      ("{ limit = 1.5 }", "limit: a whole number from 0 on expected"),
      ("{ after = 'x' }", "after: a cursor that fetch gave expected"),
      ("{ tag = 5 }", "tag: string expected, got number"),
      ("{ 'x' }", "has no option"),
      ("5", "bad argument #2 to 'fetch' (table expected, got number)"),
    ])
  func badOptions(options: String, message: String) throws {
    let lua = try filled()
    let failure = try #require(lua.failure("favorites.fetch('news', \(options))"))
    #expect(failure.contains(message), "\(failure)")
  }

  @Test("each streams everything, ends early, and lets the loop change what it goes through")
  func each() throws {
    let lua = try filled()
    #expect(
      try lua.run(
        """
        local n = 0
        for row in favorites.each("news", { order = "published" }) do
          n = n + 1
          if row.title ~= "Story " .. n then error("out of order") end
        end
        local first
        for row in favorites.each("news") do first = row break end
        for row in favorites.each("news", { tag = "odd" }) do favorites.delete("news", row.key) end
        local limited = 0
        for _ in favorites.each("news", { limit = 7 }) do limited = limited + 1 end
        return n, first ~= nil, favorites.count("news"), limited
        """) == [.integer(40), .boolean(true), .integer(20), .integer(7)])
    #expect(lua.session.state.liveObjectCount < 20)
  }

  @Test("entities are there whether starred or not, with when they were seen")
  func entities() throws {
    let lua = try filled()
    try lua.run("favorites.delete('news', 'https://n.example/3')")
    #expect(try lua.value("favorites.count('news')") == .integer(39))
    #expect(try lua.value("entities.count('news')") == .integer(40))
    let entity = try lua.value("entities.get('news', 'https://n.example/3')")
    #expect(entity["title"] == .string("Story 3"))
    #expect(entity["starred_at"] == nil)
    #expect(entity["first_seen"] == .integer(1_780_000_000))
    #expect(try lua.value("#entities.fetch('news', { limit = 5 })") == .integer(5))
    #expect(
      try lua.value("entities.fetch('news', { where = { title = 'story 3' } })[1].key")
        == .string("https://n.example/3"))
  }

  @Test("why and history say who did what")
  func history() throws {
    let lua = try filled()
    #expect(
      try lua.value("favorites.why('news', 'https://n.example/3')[1].script") == .string("test.lua")
    )
    #expect(try lua.value("favorites.why('news', 'nothing')") == .array([]))
    try lua.run("favorites.delete('news', 'https://n.example/3')")
    let change = try lua.value("favorites.history({ limit = 1 })[1]")
    #expect(change["action"] == .string("unstar"))
    #expect(change["key"] == .string("https://n.example/3"))
    #expect(change["by"] == .string("script"))
    #expect(change["undone"] == .boolean(false))
    #expect(try lua.value("#favorites.history({ kind = 'post' })") == .integer(1))
    #expect(try #require(lua.failure("favorites.history({ lmit = 1 })")).contains("`limit`"))
  }

  @Test("kinds lists what there is, as plugins declare it")
  func kinds() throws {
    let lua = try ScriptHarness()
    let kinds = try lua.value("favorites.kinds()")
    guard case .array(let list) = kinds else {
      Issue.record("no list")
      return
    }
    #expect(list.map { $0["name"]?.string } == ["news", "post", "car_type", "person"])
    #expect(list[1]["key"] == .array([.string("site"), .string("id")]))
    #expect(list[3]["key"] == .string("auto"))
    #expect(try lua.value("favorites.kinds()[1].fields[1].type") == .string("url"))
    #expect(
      try lua.value("favorites.kinds()[1].indexes")
        == .array([.string("title"), .string("published")]))
  }

  @Test("a query for millions of rows is stopped by the memory limit, and the session goes on")
  func memory() throws {
    let lua = try ScriptHarness(limits: Limits(time: .seconds(120), memoryBytes: 8 << 20))
    try lua.run(
      """
      favorites.transaction(function()
        for i = 1, 20000 do favorites.insert("news", { link = "https://n.example/" .. i,
          title = ("Story "):rep(20) .. i }) end
      end)
      """)
    let failure = try #require(lua.failure("return #favorites.fetch('news')"))
    #expect(failure.contains("not enough memory"))
    #expect(
      try lua.value(
        "(function() local n = 0 for _ in favorites.each('news') do n = n + 1 end return n end)()")
        == .integer(20000))
  }
}
