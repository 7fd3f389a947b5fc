import Testing

@testable import StarlingTool

/// A plugin's next version has another key: what the tool says of that, and the way out.
@Suite struct RekeyCommandTests {
  let place = Workplace()
  private static let byTitle =
    "{ thing = { key = \"title\", fields = { id = \"text\", title = \"text\" } } }"

  init() {
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("a.xml", Workplace.feed(items: 3))
  }

  @Test("the plugin alone is refused, with the way out; a preview, doing it, and undoing it")
  func wayOut() throws {
    #expect(place.run("load", "@a.xml").status == 0)
    #expect(place.run("star", "thing", "https://e.org/1").status == 0)
    #expect(place.run("unstar", "thing", "https://e.org/2").status == 0)
    place.write("plugins/things.lua", Workplace.plugin(kinds: Self.byTitle))
    let refused = place.run("load", "@a.xml", "--plugin", "things")
    #expect(refused.status != 0)
    #expect(refused.err.contains("its key is { \"title\" }, which was { \"id\" } before"))
    #expect(refused.err.contains("starling rekey thing --key title"), "\(refused.err)")
    #expect(refused.err.contains("(declared by the database)"))
    let preview = place.run("rekey", "thing", "--key", "title")
    #expect(
      preview.lines == [
        "kind thing: key { \"title\" }, now { \"id\" }", "3 get a new key, 0 keep theirs",
        "https://e.org/1 -> Item 1", "https://e.org/2 -> Item 2",
        "https://e.org/3 -> Item 3", "1 refusals go over to the new keys",
        "nothing was changed; --apply does it",
      ])
    #expect(place.run("contains", "thing", "Item 1").status == 1)
    #expect(place.run("rekey", "thing", "--key", "title", "--apply").status == 0)
    for key in ["Item 1", "https://e.org/1"] {
      #expect(place.run("contains", "thing", key).status == 0)
    }
    let loaded = place.run("load", "@a.xml")
    #expect(loaded.status == 0, "\(loaded.err)")
    #expect(loaded.out.contains("3 unchanged"), "\(loaded.out)")
    let again = place.run("rekey", "thing", "--key", "title")
    #expect(again.status == 3)
    #expect(again.err.contains("its key is made of these fields already"))

    #expect(place.run("undo").status == 0)
    #expect(
      place.run("show", "thing", "https://e.org/1", "--json").out.contains(
        "\"key\":\"https://e.org/1\""))
    #expect(place.run("refusals", "list").out.contains("https://e.org/2"))
    #expect(place.run("doctor").err.contains("things"), "the plugin is refused again")
  }

  @Test("what is asked wrongly says what is right")
  func wrong() {
    #expect(place.run("load", "@a.xml").status == 0)
    #expect(place.run("rekey", "thing").status == 2)
    #expect(place.run("rekey", "thing", "--key", "titel").err.contains("did you mean \"title\"?"))
    #expect(place.run("rekey", "thin", "--key", "id").err.contains("did you mean thing?"))
  }
}
