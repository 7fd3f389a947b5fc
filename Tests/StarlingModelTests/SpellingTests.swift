import StarlingModel
import Testing

@Suite struct SpellingTests {
  private let fields = ["title", "summary", "author", "published", "price", "url", "likes"]

  @Test(
    "a misspelt name has its nearest right spelling",
    arguments: [
      ("titel", "title"), ("Title", "title"), ("sumary", "summary"), ("auhtor", "author"),
      ("publishd", "published"), ("prise", "price"), ("ulr", "url"), ("like", "likes"),
    ])
  func nearest(_ word: String, expected: String) {
    #expect(Spelling.nearest(to: word, among: fields) == expected)
  }

  @Test("nothing is near a stranger", arguments: ["battery", "x", "", "abc", "titanium"])
  func none(_ word: String) {
    #expect(Spelling.nearest(to: word, among: fields) == nil)
  }

  @Test("of equally near names the first in the alphabet is given")
  func isStable() {
    #expect(Spelling.nearest(to: "cat", among: ["hat", "bat"]) == "bat")
  }
}
