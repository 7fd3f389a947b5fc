import StarlingFavorites
import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite struct ChangeFunctionsTests {
  @Test("insert says whether it is new, was one already, or was refused")
  func insert() throws {
    let lua = try ScriptHarness()
    try lua.store.delete(kind: "news", key: "https://n.example/no", by: .hand)
    #expect(
      try lua.run("return favorites.insert('news', { link = 'https://n.example/1' })")
        == [.boolean(true)])
    #expect(
      try lua.run("return favorites.insert({ kind = 'news', link = 'https://n.example/1' })")
        == [.boolean(false)])
    #expect(
      try lua.run("return favorites.insert('news', { link = 'https://n.example/no' })")
        == [.boolean(false), .string("refused")])
    #expect(try lua.value("favorites.refused('news', 'https://n.example/no')") == .boolean(true))
    #expect(try lua.value("favorites.allow('news', 'https://n.example/no')") == .boolean(true))
    #expect(
      try lua.run(
        "return favorites.insert('news', 'https://n.example/no', { note = 'yes', tags = 'x' })")
        == [.boolean(true)])
    let favorite = try lua.store.get(kind: "news", key: "https://n.example/no")
    #expect(favorite?.note == "yes")
    #expect(favorite?.tags == ["x"])
    #expect(favorite?.entity.values["link"] == .text("https://n.example/no"))
    #expect(favorite?.causes.map(\.origin) == [.script(name: "test.lua")])
  }

  @Test("what fetch gave can be given back to insert")
  func roundTrip() throws {
    let lua = try ScriptHarness()
    try lua.run(
      """
      favorites.insert("car_type", { site = "c", uid = 1, price = "20万", electric = false })
      local row = favorites.get("car_type", "c/1")
      row.name = "Z"
      favorites.insert("car_type", row)
      favorites.insert(row)
      """)
    let car = try #require(try lua.store.get(kind: "car_type", key: "c/1"))
    #expect(car.entity.values["name"] == .text("Z"))
    #expect(car.entity.values["electric"] == .boolean(false))
    #expect(car.causes.count == 1)
  }

  @Test(
    "a value that does not fit is an error that names the field",
    arguments: [
      ("'post', { site = 's', id = 1, likes = 'many' }", "likes: a whole number expected"),
      ("'news', { link = 'l', published = 'soon' }", "\"soon\" is no time"),
      ("'news', { link = 'l', titel = 'x' }", "did you mean `title`?"),
      ("'news', { link = 'a\\xFF' }", "link: UTF-8 text expected"),
      ("'news', {}", "no key for a `news`"),
      (
        "'news', { link = 'l' }, { tag = 'x' }",
        "bad argument #3 to 'insert' (insert has no option `tag`; did you mean `tags`?)"
      ),
      ("'news', { link = 'l' }, { tags = { 5 } }", "tags[1]: string expected, got number"),
      (
        "'news', { link = 'l' }, 'note'", "bad argument #3 to 'insert' (table expected, got string)"
      ),
      ("'news'", "bad argument #2 to 'insert'"),
      ("'nws', {}", "did you mean \"news\"?"),
    ])
  func misuse(arguments: String, message: String) throws {
    let lua = try ScriptHarness()
    let failure = try #require(lua.failure("favorites.insert(\(arguments))"))
    #expect(failure.contains(message), "\(failure)")
    #expect(try lua.store.history().isEmpty)
  }

  @Test("delete refuses only when asked to")
  func delete() throws {
    let lua = try ScriptHarness()
    try lua.run("favorites.insert('news', { link = 'a' }) favorites.insert('news', { link = 'b' })")
    #expect(
      try lua.run(
        """
        return favorites.delete('news', 'a'), favorites.delete('news', 'a'),
          favorites.delete({ kind = 'news', link = 'b' }, { refuse = true }),
          favorites.delete('news', 'c', { refuse = true }),
          favorites.refused('news', 'a'), favorites.refused('news', 'b'),
          favorites.refused('news', 'c')
        """)
        == [true, false, true, false, false, true, true].map { .boolean($0) })
    let failure = try #require(lua.failure("favorites.delete('news', 'a', { refuse = 1 })"))
    #expect(failure.contains("refuse: boolean expected, got number"))
  }

  @Test("toggle says what it is now")
  func toggle() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        local e = { kind = 'news', link = 'a' }
        return favorites.toggle(e), favorites.toggle('news', e), favorites.toggle('news', 'a')
        """) == [.boolean(true), .boolean(false), .boolean(true)])
  }

  @Test("tags and notes belong to favorites only")
  func attach() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        favorites.insert('news', { link = 'a' })
        return favorites.tag('news', 'a', 'x', 'y'), favorites.untag('news', 'a', 'x'),
          favorites.note('news', 'a', 'n'), favorites.tag('news', 'b', 'x'),
          favorites.note('news', 'b', 'n')
        """) == [true, true, true, false, false].map { .boolean($0) })
    let favorite = try lua.store.get(kind: "news", key: "a")
    #expect(favorite?.tags == ["y"])
    #expect(favorite?.note == "n")
    try lua.run("favorites.note('news', 'a', nil)")
    #expect(try lua.store.get(kind: "news", key: "a")?.note == nil)
    let failure = try #require(lua.failure("favorites.tag('news', 'a', 'x', 5)"))
    #expect(failure.contains("bad argument #4 to 'tag' (tag expected, got number)"))
  }

  @Test("things without identity get a key of their own")
  func auto() throws {
    let lua = try ScriptHarness()
    try lua.run(
      "for i = 1, 3 do favorites.insert('person', { name = 'Ann', age = 30 + i }) end")
    #expect(try lua.value("favorites.count('person')") == .integer(3))
    #expect(
      try lua.value(
        "(function() local p = favorites.fetch('person')[1] return favorites.contains(p) end)()")
        == .boolean(true))
  }

  @Test("a listener ends no script: os.exit is an error of its own")
  func exitInListener() throws {
    let lua = try ScriptHarness()
    let status = try lua.status(
      """
      favorites.on("insert", function() os.exit(9) end)
      favorites.insert("news", { link = "a" })
      print(favorites.contains("news", "a"))
      os.exit(4)
      """)
    #expect(status == 4)
    #expect(lua.output == "true\n")
    #expect(lua.log.contains { $0.message.contains("os.exit cannot be called in a listener") })
  }

  @Test("listeners are called after the commit, once, and their failure harms nothing")
  func observers() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        local seen = {}
        local stop = favorites.on("insert", function(change) seen[#seen + 1] = change.key end)
        favorites.on("change", function() error("never mind") end)
        favorites.transaction(function()
          favorites.insert("news", { link = "a" })
          if #seen > 0 then error("too early") end
        end)
        pcall(favorites.transaction, function()
          favorites.insert("news", { link = "b" }) error("no")
        end)
        favorites.delete("news", "a")
        favorites.insert("news", { link = "c" })
        stop()
        favorites.insert("news", { link = "d" })
        return table.concat(seen, ",")
        """) == [.string("a,c")])
    #expect(lua.log.contains { $0.level == .error && $0.message.contains("never mind") })
    let failure = try #require(lua.failure("favorites.on('inserted', print)"))
    #expect(failure.contains("there is no event \"inserted\"; did you mean \"insert\"?"))
  }

  @Test("what a run changed is one run of the history")
  func run() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.status(
        "favorites.insert('news', { link = 'a' }) favorites.insert('news', { link = 'b' })") == nil)
    lua.session.close()
    let changes = try lua.store.history()
    #expect(changes.count == 2)
    #expect(changes[0].run != nil)
    #expect(changes[0].run == changes[1].run)
  }
}
