import Testing

@testable import StarlingTool

/// What `star` takes for a key.
@Suite struct StarCommandTests {
  let place = Workplace()

  init() {
    let post =
      "{ post = { key = { \"site\", \"id\" },"
      + " fields = { site = \"text\", id = \"text\", title = \"text\", rank = \"real\" } } }"
    place.write("plugins/posts.lua", Workplace.plugin(kinds: post, accepts: false))
  }

  @Test("fields that make another key are refused, and the key stays as it is")
  func contradiction() {
    let refused = place.run("star", "post", "q/5", "site=other", "id=9")
    #expect(refused.status == 2)
    #expect(
      refused.err.contains("the key of kind post is made of site, id: these make other/9, not q/5"),
      "\(refused.err)")
    #expect(place.run("contains", "post", "q/5").status == 1)
    #expect(place.run("star", "post", "q/5", "site=q", "id=5", "title=T").status == 0)
    #expect(place.run("star", "post", "q/5", "id=6").status == 2)
    #expect(place.run("star", "post", "q/5", "id=5", "title=U").status == 0)
    #expect(place.run("list", "post", "--json").out.contains("\"title\":\"U\""))
  }

  @Test("the key is made of the fields where these stand in its place")
  func byFields() {
    let starred = place.run("star", "post", "id=2", "title=T", "site=q")
    #expect(starred.out == "post q/2: starred\n", "\(starred)")
    #expect(place.run("contains", "post", "q/2").status == 0)
    #expect(place.run("toggle", "post", "site=q", "id=2").status == 0)
    #expect(place.run("contains", "post", "q/2").status == 1)
    let short = place.run("star", "post", "id=2")
    #expect(short.status == 2)
    #expect(
      short.err.contains("KEY expected, or all fields that make it: post site=... id=..."),
      "\(short.err)")
  }

  @Test(
    "a number with a fraction, or beyond 64 bits, is no part of a key",
    arguments: ["1.5", "1e20", "-0.5"])
  func fractions(_ number: String) {
    let refused = place.run("run", "-e", "favorites.insert('post', {site = 'a', id = \(number)})")
    #expect(refused.status == 3)
    #expect(refused.err.contains("a whole number or text, as a key expected"), "\(refused)")
    #expect(place.run("list", "post", "--all", "--json").out.isEmpty)
    let taken = place.run(
      "run", "-e", "favorites.insert('post', {site = 'a', id = 7.0, title = \(number), rank = 1.5})"
    )
    #expect(taken.status == 0, "\(taken)")
    #expect(place.run("contains", "post", "a/7").status == 0)
  }
}
