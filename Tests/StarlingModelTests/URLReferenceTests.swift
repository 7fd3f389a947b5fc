import Testing

@testable import StarlingModel

@Suite struct URLReferenceTests {
  @Test(
    "relative addresses resolve as RFC 3986, 5.4 has it",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
      ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
      ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
      ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
      (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
      ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"),
      ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
  func resolves(relative: String, expected: String) {
    #expect(URLReference.join("http://a/b/c/d;p?q", relative) == expected)
  }

  @Test("what has no answer is nil")
  func joinsNothing() {
    #expect(URLReference.join("http://a/", "  ") == nil)
    #expect(URLReference.join("no-base", "x") == nil)
    #expect(URLReference.join("", "x") == nil)
    #expect(URLReference.join("http://example.com", "p.jpg") == "http://example.com/p.jpg")
    #expect(URLReference.join("https://a/b", "//host/p.jpg") == "https://host/p.jpg")
    #expect(URLReference.join("", "https://a/b") == "https://a/b")
  }

  @Test(
    "one page has one canonical address",
    arguments: [
      ("HTTP://Example.COM:80", "http://example.com/"),
      ("https://example.com:443/a#top", "https://example.com/a"),
      ("https://example.com:8443/a", "https://example.com:8443/a"),
      ("https://e.com/a?utm_source=x&id=5&utm_medium=y", "https://e.com/a?id=5"),
      ("https://e.com/a?fbclid=1", "https://e.com/a"),
      ("https://e.com/a?b=1&b=2", "https://e.com/a?b=1&b=2"),
      ("https://e.com/a?spm=a.b&gclid=2&x", "https://e.com/a?x"),
      ("https://e.com/Case/%7Ebob", "https://e.com/Case/%7Ebob"),
      ("https://e.com/a/../b/./c", "https://e.com/b/c"),
    ])
  func canonicalizes(url: String, expected: String) {
    #expect(URLReference.canonical(url) == expected)
  }

  @Test("parts are found")
  func takesApart() {
    let url = URLReference("https://user@Example.com:8080/p/a?q=1#f")
    #expect(url.scheme == "https")
    #expect(url.host == "example.com")
    #expect(url.port == 8080)
    #expect(url.path == "/p/a")
    #expect(url.query == "q=1")
    #expect(url.fragment == "f")
    #expect(URLReference("http://[::1]:80/").host == "[::1]")
    #expect(URLReference("mailto:a@b.c").host == nil)
    #expect(URLReference("http://例え.jp/道").description == "http://例え.jp/道")
  }
}
