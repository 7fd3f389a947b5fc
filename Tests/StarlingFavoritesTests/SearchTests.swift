import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

@Suite struct SearchTests {
  let store: FavoritesStore

  init() throws {
    store = try StoreFixture.store()
  }

  private func found(
    _ text: String, scope: Query.Scope = .favorites, order: Query.Order? = nil
  ) throws -> [String] {
    var links: [String] = []
    let query = Query(kind: "news", scope: scope, order: order, text: text)
    _ = try store.forEachRow(query) { row in
      links.append(String(decoding: unsafe row.key, as: UTF8.self).suffix(2).description)
      return true
    }
    #expect(try store.count(query) == links.count)
    return links.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
  }

  @Test(
    "words of one, two and three characters are found inside longer text, in any script",
    arguments: [
      "目录文件", "目录", "文件", "目录 文件", "文件 目录", "录文", "录", "文", "件", "目录文", "録", "テス", "スト",
      "ニュース", "배터리", "리를", "ไทย", "école", "ECOLE", "Ｅｃｏｌｅ", "e\u{301}cole", "straße", "STRASSE",
      "ﾃｽﾄ", "🔋", "москва", "Μοσχα", "lodz",
    ])
  func everyScript(_ text: String) throws {
    let title =
      "目录文件 記録 テストとニュース 배터리를 ภาษาไทย École Straße 🔋 МОСКВА Μόσχα Łódź"
    try store.insert(StoreFixture.item(1, title: title))
    try store.insert(StoreFixture.item(2, title: "something else 目 件"))
    let expected = ["文", "件"].contains(text) ? (text == "件" ? ["1", "2"] : ["1"]) : ["1"]
    #expect(Set(try found(text)) == Set(expected))
  }

  @Test(
    "whatever is typed is no error",
    arguments: [
      "\"", "\"\"", "'", "@", "@user", "-x", "*", "x*", "(", ")", "((x", "AND", "x AND", "NOT x",
      "NEAR(",
      "title:x", "{", "^x", "+", "x + y", "\u{0}", "x\u{0}y", "🚗", "%", "_", "x;y", "--", "/*",
      "\\", "",
      " ", "\u{FFFD}", "\u{202E}x", "x\"y\"z", "a:b:c", "<x>", "&amp;", "#x", "¿x?", "x\ny",
      String(repeating: "(", count: 10_000), String(repeating: "x ", count: 10_000),
      String(repeating: "\"", count: 9_999), String(repeating: "电", count: 10_000),
    ])
  func anyPunctuation(_ text: String) throws {
    try store.insert(StoreFixture.item(1, title: "x y AND NOT NEAR 电 🚗 a b c user"))
    _ = try found(text)
    for scope in [Query.Scope.favorites, .everything] {
      _ = try found(text, scope: scope, order: .field("published", descending: true))
      let page = try store.page(Query(kind: "news", scope: scope, limit: 1, text: text))
      _ = try store.page(Query(kind: "news", scope: scope, limit: 1, after: page.next, text: text))
    }
    try store.each(Query(kind: "news", text: text)) { _ in true }
  }

  @Test("a text without a word finds nothing")
  func noWord() throws {
    try store.insert(StoreFixture.item(1, title: "x"))
    for text in ["", " ", "\"", "-", "***"] { #expect(try found(text) == [], "\(text)") }
  }

  @Test("texts and lists are searched, no links, numbers and times")
  func fields() throws {
    var item = StoreFixture.item(1, title: "title")
    item["summary"] = "summary"
    item["categories"] = .list(["Health \"quoted\"", "两个"])
    try store.insert(item)
    for text in ["title", "summary", "health", "quoted", "两个", "summary title health"] {
      #expect(try found(text) == ["1"], "\(text)")
    }
    for text in ["example", "https", "1970"] { #expect(try found(text) == [], "\(text)") }
  }

  @Test("the best come first: in the title, more often, seldom words; then the newest")
  func ranking() throws {
    func add(_ number: Int, _ title: String, _ summary: String) throws {
      var item = StoreFixture.item(number, title: title)
      item["summary"] = .text(summary)
      try store.insert(item)
    }
    try add(10, "other", "the battery of it")
    try add(11, "battery", "other")
    try add(12, "other", "battery battery battery")
    try add(13, "battery news", "other")
    try add(14, "other", "one battery")
    for number in 20..<40 { try add(number, "market", "words of the market") }
    #expect(try found("battery") == ["13", "11", "12", "14", "10"])
    // Ordered otherwise when asked to.
    #expect(
      try found("battery", order: .field("published", descending: false))
        == ["10", "11", "12", "13", "14"])
    #expect(try found("market").first == "39")
  }

  @Test("a search with conditions, a tag or a kind finds their rows alone")
  func narrowed() throws {
    for number in 10..<20 { try store.insert(StoreFixture.item(number, title: "电池 news")) }
    try store.insert(StoreFixture.item(30, title: "电池 tagged"), tags: ["t"])
    try store.insert(Entity(kind: "person", key: "", values: ["name": "电池"]))
    let batch = try store.beginLoad(source: "s")
    let handle = try store.handle(kind: "news")
    _ = try batch.add(handle, store.record(of: StoreFixture.item(40, title: "电池"), handle))
    _ = try batch.commit()
    #expect(try found("电池").count == 11)
    #expect(try found("电池", scope: .everything).count == 12)
    #expect(try store.fetch(Query(kind: "person", text: "电池")).count == 1)
    let early = Condition.test(field: "published", .before(.at(Timestamp(secondsSinceEpoch: 900))))
    let tagged = Query(kind: "news", tag: "t", text: "电池")
    #expect(try store.fetch(tagged).map(\.entity["title"]) == ["电池 tagged"])
    #expect(try store.count(tagged) == 1)
    for scope in [Query.Scope.favorites, .everything] {
      let query = Query(kind: "news", scope: scope, where: early, text: "电池")
      #expect(try store.entities(query).count == 5)
      #expect(try store.count(query) == 5)
      // A condition that SQL cannot answer is asked of each row.
      let word = Query(
        kind: "news", scope: scope, where: .test(field: "title", .has(["tagged"])), text: "电池")
      #expect(try store.entities(word).count == 1)
      #expect(try store.count(word) == 1)
    }
  }

  @Test("pages of a search stay right while rows come and go")
  func paging() throws {
    for number in 10..<60 {
      let title = (0...number % 3).map { _ in "word" }.joined(separator: " ")
      try store.insert(StoreFixture.item(number, title: title))
    }
    let all = try found("word")
    #expect(all.count == 50)
    var seen: [String] = []
    var query = Query(kind: "news", limit: 7, text: "word")
    var round = 0
    repeat {
      let page = try store.page(query)
      seen += page.rows.map { String($0.entity.key.suffix(2)) }
      query.after = try page.next.map { try #require(Cursor($0.text)) }
      // More rows have the word, which moves all ranks; a row that was given goes.
      for other in 0..<20 {
        try store.insert(StoreFixture.item(1000 + round * 20 + other, title: "a word"))
      }
      if let last = page.rows.last { try store.delete(kind: "news", key: last.entity.key) }
      round += 1
    } while query.after != nil
    #expect(seen == all)
    let other = Query(kind: "news", order: .starredAt(descending: true), limit: 1, text: "word")
    let cursor = try store.page(other).next
    #expect(throws: FavoritesError.self) {
      try store.page(Query(kind: "news", after: cursor, text: "word"))
    }
  }

  @Test("of a word that more rows have than are ranked together, all come once")
  func manyFound() throws {
    let handle = try store.handle(kind: "news")
    let batch = try store.beginLoad(source: "s")
    let count = RankedSearch.bandSize + 500
    for number in 0..<count {
      let title = number == 100 ? "word word" : "word"
      _ = try batch.add(
        handle, store.record(of: StoreFixture.item(number, title: title), handle),
        stars: number % 2 == 0 ? [RuleStar(rule: "R", version: "1")] : [])
    }
    _ = try batch.commit()
    for scope in [Query.Scope.everything, .favorites] {
      var keys = Set<String>()
      var order: [String] = []
      var query = Query(kind: "news", scope: scope, limit: 2600, text: "word")
      repeat {
        query.after = try store.forEachRow(query) { row in
          let key = String(decoding: unsafe row.key, as: UTF8.self)
          order.append(key)
          return keys.insert(key).inserted
        }
      } while query.after != nil
      #expect(keys.count == (scope == .everything ? count : count / 2))
      #expect(order.count == keys.count)
      query.limit = nil
      #expect(try store.count(query) == keys.count)
      var all = 0
      _ = try store.forEachRow(query) { _ in
        all += 1
        return true
      }
      #expect(all == keys.count)
    }
  }

  @Test("of a kind, rows are found behind more of another than are ranked together, each once")
  func otherKind() throws {
    for number in 0..<3 {
      try store.insert(
        Entity(kind: "car_type", key: "x/\(number)", values: ["name": .text("word \(number)")]))
    }
    let handle = try store.handle(kind: "news")
    let batch = try store.beginLoad(source: "s")
    for number in 0..<RankedSearch.bandSize + 100 {
      let item = StoreFixture.item(number, title: number % 100 == 0 ? "word" : "a word of many")
      _ = try batch.add(handle, store.record(of: item, handle))
    }
    _ = try batch.commit()
    try store.insert(Entity(kind: "car_type", key: "x/9", values: ["name": "word word"]))
    for scope in [Query.Scope.everything, .favorites] {
      var keys: [String] = []
      var query = Query(kind: "car_type", scope: scope, limit: 2, text: "word")
      repeat {
        query.after = try store.forEachRow(query) { row in
          keys.append(String(decoding: unsafe row.key, as: UTF8.self))
          return true
        }
      } while query.after != nil
      #expect(keys == ["x/9", "x/2", "x/1", "x/0"])
      #expect(try store.count(query) == 4)
    }
  }

  @Test("each change of a row changes what is found, and nothing else is left")
  func keptRight() throws {
    var random = SplitMix(state: 64)
    let words = ["alpha", "Beta", "GAMMA", "电池", "固态电池", "テスト", "é", "x1", "🔋", ""]
    let clock = TestClock()
    var options = StoreOptions(clock: clock.read)
    options.keepSeconds = 10 * 86400
    let store = try FavoritesStore(.memory, model: StoreFixture.model, options: options)
    let handle = try store.handle(kind: "news")
    for round in 0..<60 {
      func item() -> Entity {
        var item = StoreFixture.item(random.below(40))
        item["title"] = .text(
          (0..<random.below(4)).map { _ in random.pick(words) }.joined(separator: " "))
        if random.chance(50) { item["summary"] = .text(random.pick(words)) }
        if random.chance(50) {
          item["categories"] = .list((0..<random.below(3)).map { _ in random.pick(words) })
        }
        return item
      }
      let isDry = random.chance(20)
      let batch = try store.beginLoad(source: "s", dry: isDry)
      for _ in 0..<random.below(12) { _ = try batch.add(handle, store.record(of: item(), handle)) }
      if random.chance(15) { batch.abandon() } else { _ = try batch.commit() }
      switch random.below(6) {
      case 0: try store.insert(item())
      case 1: _ = try store.toggle(item())
      case 2: _ = try? store.undo(.last)
      case 3:
        try? store.transaction { () throws(FavoritesError) in
          try store.insert(item())
          try? store.transaction { () throws(FavoritesError) in
            try store.insert(item())
            throw .brokenTransaction
          }
          if round % 2 == 0 { throw .brokenTransaction }
        }
      case 4:
        clock.advance(4 * 86400)
        try store.prune()
      default:
        try store.rekey(
          kind: "news", from: StoreFixture.link(random.below(40)),
          to: StoreFixture.link(random.below(40) + 100 * round))
      }
      #expect(try store.check().map(\.what) == [], "round \(round)")
    }
    // What the index finds is what the rows say.
    for word in words where !word.isEmpty {
      var expected = 0
      let search = WordSearch(word)
      try store.eachEntity(Query(kind: "news", scope: .everything)) { entity in
        let texts = [entity["title"], entity["summary"]].compactMap { value -> String? in
          if case .text(let text) = value { text } else { nil }
        }
        var lists: [String] = []
        if case .list(let list) = entity["categories"] { lists = list }
        if (texts + lists).contains(where: { !search.ranges(in: $0).isEmpty }) { expected += 1 }
        return true
      }
      let query = Query(kind: "news", scope: .everything, text: word)
      #expect(try store.count(query) == expected, "\(word)")
    }
  }

  @Test("a kind that gets more texts finds them, and finds its old rows as before")
  func growingKind() throws {
    try store.insert(StoreFixture.item(1, title: "old words"))
    var kind = StoreFixture.news
    kind.fields.append(Field("name", .text))
    try store.register(KindModel.merging([("p", [KindDeclaration(kind)])]).model)
    #expect(try store.check().isEmpty)
    try store.insert(
      Entity(kind: "news", key: StoreFixture.link(1), values: ["name": "new name"]))
    #expect(try found("old name") == ["1"])
    #expect(try store.check().isEmpty)
  }

  @Test("a wrong or damaged index is found and made again")
  func mending() throws {
    for number in 0..<50 { try store.insert(StoreFixture.item(number, title: "word \(number)")) }
    let damages = [
      "INSERT INTO _search (_search) VALUES ('delete-all')",
      "INSERT INTO _search (rowid, title, text) VALUES (7, 'lost', '')",
      "UPDATE news SET title = 'changed by another program' WHERE rowid = 3",
    ]
    for damage in damages {
      try store.connection.execute(damage)
      let problems = try store.check()
      #expect(problems.count == 1, "\(damage)")
      #expect(problems.first?.what.contains("search index") == true)
      #expect(problems.first?.canBeMended == true)
      try store.mend()
      #expect(try store.check().isEmpty, "\(damage)")
      #expect(try found("word 8") == ["8"])
    }
    #expect(try found("program").count == 1)
  }
}
