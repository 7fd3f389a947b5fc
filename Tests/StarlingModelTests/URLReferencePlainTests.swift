import Testing

@testable import StarlingModel

@Suite struct URLReferencePlainTests {
  private func whole(_ url: String) -> String { URLReference(url).canonical.description }

  @Test(
    "the short way to the canonical form gives what the long way gives",
    arguments: [
      "https://example.org/a/b", "http://example.org/", "https://a-b.example/x?y=1&z=2",
      "https://example.org/x?utm_source=feed", "https://example.org/x?utm_source=feed&id=5#top",
      "https://example.org/x?id=5&fbclid=1&b", "https://example.org/x?", "https://example.org/x#",
      "https://example.org/x?&&a=b&", "https://example.org/x?spm=1.2.3&spmx=1",
      "https://example.org/a.b/c..d?e=f?g", "https://example.org/x?=1", "https://example.org/a%20b",
    ])
  func agrees(url: String) {
    #expect(URLReference.canonicalOfPlain(url) == whole(url))
  }

  @Test(
    "an address that is not plain is left to the long way",
    arguments: [
      "HTTPS://example.org/a", "https://Example.org/a", "https://example.org", "https://u@h/a",
      "https://example.org:443/a", "https://example.org/a/../b", "https://example.org/./b",
      "https://example.org/电", "https://example.org/a b", " https://example.org/a", "/relative",
      "https://example.org/x?UTM_source=1", "https:///a", "https://example.org?x=1", "mailto:a@b.c",
      "https://example.org/x?utm%5Fsource=1", "https://example.org/x#\u{1}", "",
    ])
  func leaves(url: String) {
    #expect(URLReference.canonicalOfPlain(url) == nil)
  }
}
