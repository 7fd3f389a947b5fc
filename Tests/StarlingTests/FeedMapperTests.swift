import StarlingModel
import StarlingTestSupport
import Testing

@testable import Starling

@Suite struct FeedMapperTests {
  static let header = "--- @api 1\nlocal M = {}\n"
  static let kinds =
    "M.kinds = { thing = { key = 'id', fields = { id = 'text', title = 'text', at = 'time', "
    + "price = 'money', tags_seen = 'list', count = 'integer', ok = 'boolean' } } }\n"

  func plugin(_ body: String) -> [(name: String, text: String)] {
    [(name: "thing", text: Self.header + Self.kinds + body + "\nreturn M\n")]
  }

  let array = Array(
    #"[{"id":9007199254740993,"title":"one"},{"id":"007","title":null},null,{"title":"no id"}]"#
      .utf8)

  @Test("a top-level array is mapped element by element, and ids stay exact")
  func mapsArrays() throws {
    let mapped = try map(
      array,
      plugins: plugin(
        "function M.accepts(feed) return feed.format == 'json' end\n"
          + "function M.map(item) return { id = item.id, title = item.title } end"))
    #expect(mapped.entities.map(\.key) == ["9007199254740993", "007"])
    #expect(mapped.entities[1].values["title"] == nil)
    #expect(mapped.report.items == 4)
    #expect(mapped.report.leftOut == ["null": 1])
    #expect(mapped.report.failures.map(\.place) == [4])
    #expect(mapped.report.failures[0].error.message.contains("no key"))
  }

  @Test("a plugin that raises for one item loses that item only, and says where")
  func losesOneItem() throws {
    let mapped = try map(
      array,
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item)\n  if item.id == '007' then error('bad item') end\n"
          + "  return { id = item.id or 'x' } end"))
    #expect(mapped.entities.map(\.key) == ["9007199254740993", "x"])
    let error = try #require(mapped.report.failures.first?.error)
    #expect(error.plugin == "thing")
    #expect(error.location?.line == 6)
    #expect(error.location?.file.hasSuffix("thing.lua") == true)
    #expect(error.message == "bad item")
  }

  @Test("an unknown field is an error with the nearest right spelling")
  func refusesUnknownFields() throws {
    let mapped = try map(
      Array(#"[{"id":1}]"#.utf8),
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item) return { id = item.id, titel = 'x' } end"))
    #expect(mapped.entities.isEmpty)
    #expect(mapped.report.failures[0].error.message.contains("did you mean `title`?"))
  }

  @Test(
    "what the store says of an entity is no field for a plugin",
    arguments: ["first_seen", "last_seen", "starred_at", "tags"])
  func refusesWordsOfTheStore(name: String) throws {
    let mapped = try map(
      Array(#"[{"id":1}]"#.utf8),
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item) return { id = item.id, \(name) = 1 } end"))
    #expect(mapped.entities.isEmpty)
    #expect(mapped.report.failures.first?.error.message.contains("no field `\(name)`") == true)
  }

  @Test("fields are converted by their types; blank and null are absent")
  func convertsFields() throws {
    let mapped = try map(
      Array(#"[{"id":7.0}]"#.utf8),
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item) return { id = item.id, title = '  ', at = "
          + "'Mon, 06 Sep 2009 16:45:00 GMT', price = '16.59-25.13万', tags_seen = { 'a', 5, '' }, "
          + "count = '12', ok = 1 } end"))
    let entity = try #require(mapped.entities.first)
    #expect(entity.key == "7")
    #expect(entity["title"] == nil)
    #expect(entity["at"] == .time(Timestamp(secondsSinceEpoch: 1_252_255_500)))
    #expect(entity["tags_seen"] == .list(["a", "5"]))
    #expect(entity["count"] == .integer(12))
    #expect(entity["ok"] == .boolean(true))
    guard case .money(let money) = entity["price"] else {
      Issue.record("no price")
      return
    }
    #expect(money.low == 165_900)
    #expect(money.high == 251_300)
  }

  @Test(
    "what a field cannot be made of is an error that names it, and never silently absent",
    arguments: [
      ("price = { 1, 2 }", "a price has low, high, currency and text, no `number`"),
      ("price = { low = 1, hgih = 2 }", "no `hgih`; did you mean `high`?"),
      ("price = { currency = 'EUR' }", "price: a price with `low` or `text` expected"),
      ("price = { low = 9, high = 5 }", "price.high: an amount from 9"),
      ("price = 0/0", "price: an amount from 0 expected, got"),
      ("price = -3", "price: an amount from 0 expected, got -3"),
      ("price = 1/0", "price: an amount from 0 expected, got inf"),
      ("tags_seen = { x = 1 }", "tags_seen: a list expected, got a table with the key `x`"),
      ("ok = 'maybe'", "ok: boolean expected, got \"maybe\""),
      ("ok = {}, price = -3, title = {}, at = {}, count = {}", "title: text expected"),
    ])
  func refusesValues(fields: String, message: String) throws {
    let mapped = try map(
      Array("[1]".utf8),
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item) return { id = item, \(fields) } end"))
    #expect(mapped.entities.isEmpty)
    let error = try #require(mapped.report.failures.first?.error)
    #expect(error.message.contains(message), "\(error.message)")
    #expect(error.location?.line != nil)
  }

  @Test("booleans as XML has them, times in milliseconds, and parts of the document are values too")
  func convertsMore() throws {
    let mapped = try map(
      Array(#"{"id":7,"tags":["a","b"],"price":{"low":1,"high":null,"currency":"EUR"}}"#.utf8),
      plugins: plugin(
        """
        function M.accepts() return true end
        function M.items(feed) return { 1, 2, 3 } end
        function M.map(item, feed)
          local body = feed.body
          if item == 3 then return { body } end
          if item == 2 then return { { id = 2, ok = "false" }, { id = "b", ok = " " } } end
          return { id = item, ok = "true", at = 1796019120000, tags_seen = body.tags,
            price = body.price }
        end
        """))
    #expect(mapped.entities.map(\.key) == ["1", "2", "b"])
    #expect(mapped.entities.map { $0["ok"] } == [.boolean(true), .boolean(false), nil])
    let entity = try #require(mapped.entities.first)
    #expect(entity["at"] == .time(Timestamp(secondsSinceEpoch: 1_796_019_120)))
    #expect(entity["tags_seen"] == .list(["a", "b"]))
    guard case .money(let money) = entity["price"] else {
      Issue.record("no price")
      return
    }
    #expect(money.low == 1 && money.currency == "EUR")
    // As an entity it has fields that the kind has not.
    #expect(mapped.report.failures.first?.error.message.contains("no field `tags`") == true)
  }

  @Test(
    "a price of nothing is unknown, and an end of 0 too",
    arguments: [
      ("0", nil, nil), ("{ low = 0 }", nil, nil), ("json.null", nil, nil), ("' '", nil, nil),
      ("{ low = 0, high = 5 }", 5, 5), ("{ low = 5, high = 0 }", 5, 5), ("{ low = 5 }", 5, 5),
    ] as [(String, Double?, Double?)])
  func unknownPrices(price: String, low: Double?, high: Double?) throws {
    let mapped = try map(
      Array("[1]".utf8),
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item) return { id = item, price = \(price) } end"))
    let entity = try #require(mapped.entities.first)
    var money: Money?
    if case .money(let found) = entity["price"] { money = found }
    #expect(money?.low == low && money?.high == high)
  }

  @Test(
    "a price without its text is shown with its two ends and its currency",
    arguments: [
      ("{ low = 3.49, currency = 'EUR' }", "3.49 EUR"), ("{ low = 1, high = 2.5 }", "1-2.5"),
      ("{ low = 5, currency = 'USD', text = 'five' }", "five"), ("7", "7"),
    ])
  func priceTexts(price: String, text: String) throws {
    let mapped = try map(
      Array("[1]".utf8),
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item) return { id = item, price = \(price) } end"))
    guard case .money(let money)? = mapped.entities.first?["price"] else {
      Issue.record("no price")
      return
    }
    #expect(money.text == text)
  }

  @Test("an entity of a list that cannot be stored takes the others of its item with it")
  func storesAllOrNone() throws {
    let mapped = try map(
      Array("[1, 2]".utf8),
      plugins: plugin(
        "function M.accepts() return true end\nfunction M.map(item) "
          + "return { { id = 'a' .. item }, { id = 'b' .. item, count = item == 1 and {} or 2 } } end"
      ))
    #expect(mapped.entities.map(\.key) == ["a2", "b2"])
    #expect(mapped.report.failures.map(\.place) == [1])
  }

  @Test("a time that cannot be read is absent and reported, never now")
  func reportsUnreadableTimes() throws {
    let mapped = try map(
      Array(#"[{"id":1},{"id":2}]"#.utf8),
      plugins: plugin(
        "function M.accepts() return true end\n"
          + "function M.map(item) return { id = item.id, at = 'soon' } end"))
    #expect(mapped.entities.map { $0["at"] } == [nil, nil])
    #expect(mapped.report.damage.count == 1)
    #expect(mapped.report.damage[0].contains("2 times"))
    #expect(mapped.report.damage[0].contains("soon"))
  }

  @Test("a number that is not whole is no key, and one that is, is its integer")
  func readsKeys() throws {
    let mapped = try map(
      Array(#"[{"id":7.5},{"id":7.0},{"id":1e2}]"#.utf8),
      plugins: plugin(
        "function M.accepts() return true end\nfunction M.map(item) return { id = item.id } end"))
    #expect(mapped.entities.map(\.key) == ["7", "100"])
    #expect(mapped.report.failures.map(\.place) == [1])
  }

  @Test("items may give a view of the document or a list, and a view is never too large")
  func takesItems() throws {
    let document = Array(#"{"data":{"list":[{"id":1},{"id":2,"sub":{"n":[1,2,3]}}]}}"#.utf8)
    let views = try map(
      document,
      plugins: plugin(
        "function M.accepts(feed) return feed.body.data ~= nil end\n"
          + "function M.items(feed) return feed.body.data.list end\n"
          + "function M.map(item) return { id = item.id, count = item.sub and #item.sub.n } end"))
    #expect(views.entities.map(\.key) == ["1", "2"])
    #expect(views.entities[1]["count"] == .integer(3))
    let list = try map(
      document,
      plugins: plugin(
        "function M.accepts(feed) return true end\n"
          + "function M.items(feed) local t = {} for i, v in ipairs(feed.body.data.list) do "
          + "t[i] = { up = feed, node = v } end return t end\n"
          + "function M.map(item) return { id = item.node.id } end"))
    #expect(list.entities.map(\.key) == ["1", "2"])
  }

  @Test("an RSS feed gives items with further elements under their names")
  func mapsEntries() throws {
    let feed = """
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title>
      <item><guid>g1</guid><title>A &amp;amp; B</title><link>/a</link>
      <media:thumbnail url="https://e.example/p.jpg" width="5"/></item></channel></rss>
      """
    let mapped = try map(
      Array(feed.utf8),
      plugins: plugin(
        "function M.accepts(feed) return feed.format == 'rss' and feed.title == 'T' end\n"
          + "function M.map(item, feed) return { id = item.id, title = item['media:thumbnail'].url,"
          + " tags_seen = { item.url, feed.site, item.elements[1].attributes.width } } end"),
      url: "https://e.example/feed")
    #expect(mapped.entities[0]["title"] == "https://e.example/p.jpg")
    #expect(mapped.entities[0]["tags_seen"] == .list(["https://e.example/a", "e.example", "5"]))
  }

  @Test(
    "a loop in accepts, items or map ends in its time, and the next plugin maps its feed",
    arguments: ["accepts", "items", "map"])
  func stopsLoops(function: String) throws {
    let folder = TemporaryFolder()
    let good = "function M.accepts() return true end\nfunction M.map(i) return { id = i.id } end"
    folder.write(
      "a_loops.lua",
      Self.header + Self.kinds + good
        + "\nfunction M.\(function)() while true do pcall(error) end end\nreturn M")
    folder.write("b_good.lua", Self.header + "M.kinds = { 'thing' }\n" + good + "\nreturn M")
    let set = PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
    let document = Array(#"[{"id":1}]"#.utf8)
    let begin = ProcessorTime.now()
    if function == "accepts" {
      let mapped = try map(document, set: set)
      #expect(mapped.report.plugin == "b_good")
      #expect(mapped.report.failures[0].error.kind == .time)
    } else {
      let error = #expect(throws: HostError.self) { try map(document, set: set, named: "a_loops") }
      #expect(error?.kind == .time)
    }
    #expect(ProcessorTime.now() - begin < .seconds(2))
    #expect(try map(document, set: set, named: "b_good").entities.map(\.key) == ["1"])
  }

  @Test("a loop at load refuses the plugin, and the others load")
  func stopsLoopAtLoad() throws {
    let folder = TemporaryFolder()
    folder.write("a.lua", "--- @api 1\nwhile true do end\n")
    folder.write(
      "b.lua",
      Self.header + Self.kinds + "function M.map(i) return { id = i.id } end\nreturn M")
    let set = PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
    #expect(set.plugins[0].refusal?.kind == .time)
    #expect(set.plugins[1].refusal == nil)
  }

  @Test("plugins are refused unrun for another API, and the reason says both versions")
  func refusesOtherAPI() throws {
    let folder = TemporaryFolder()
    folder.write("a.lua", "--- @api 2\nerror('ran')\n")
    folder.write("b/plugin.lua", "error('ran')\n")
    folder.write("rules.lua", "error('ran')\n")
    let set = PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
    #expect(set.plugins.map(\.name) == ["a", "b", "rules"])
    #expect(set.plugins[0].refusal?.message.contains("API 2") == true)
    #expect(set.plugins[1].refusal?.message.contains("@api 1") == true)
    #expect(set.plugins[2].refusal?.message.contains("@api 1") == true)
  }

  @Test("the fields of a kind keep the order in which the plugin writes them")
  func keepsFieldOrder() throws {
    let folder = TemporaryFolder()
    folder.write(
      "b.lua",
      Self.header + Self.kinds + "function M.map(i) return { id = i.id } end\nreturn M")
    let set = PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
    #expect(
      set.model["thing"]?.fields.map(\.name)
        == ["id", "title", "at", "price", "tags_seen", "count", "ok"])
  }
}
