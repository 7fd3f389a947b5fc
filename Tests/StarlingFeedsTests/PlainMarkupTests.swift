import Testing

@testable import StarlingFeeds

@Suite struct PlainMarkupTests {
  /// The text by the short way, and by the parser.
  private func both(_ html: String) -> (plain: String?, parsed: String) {
    var html = html
    return html.withUTF8 { bytes in
      var parsed: [UInt8] = []
      HTMLText.appendParsed(bytes, to: &parsed)
      let plain = PlainMarkup.text(bytes).map { String(decoding: $0, as: UTF8.self) }
      return (plain, String(decoding: parsed, as: UTF8.self))
    }
  }

  @Test(
    "plain markup is read as a parser reads it",
    arguments: [
      ("", ""), ("a  b\n c", "a b c"), ("<p>One</p><p>two</p>", "One two"),
      ("a<br>b<br/>c <b>d</b>e", "a b c de"), ("1 &lt; 2 &amp;&amp; 3&nbsp;4", "1 < 2 && 3 4"),
      ("<a href=\"x>y\" title='it'>in</a>", "in"), ("<P CLASS=x>Upper</P>", "Upper"),
      ("<p>unclosed<p>two", "unclosed two"), ("电池&#x7535;\u{A0}é&eacute;", "电池电 éé"),
      ("<li>a<li>b", "a b"), ("x<img src=\"a.png\">y", "x y"), ("<i/>x", "x"), ("  <p> </p> ", ""),
    ])
  func agrees(html: String, text: String) {
    let (plain, parsed) = both(html)
    #expect(plain == text)
    #expect(parsed == text)
  }

  @Test(
    "markup that is not plain is left to the parser",
    arguments: [
      "<script>x</script>", "<!-- c -->", "a <b>b</i>", "a & b", "a &amp b", "2 < 3", "<p",
      "<a b='c",
      "<table><tr><td>x", "<p:x>a", "a\u{0}b", "</p>", "&nosuch;", "<a b\"c\">d</a>", "&emsp;",
    ])
  func leaves(html: String) {
    #expect(both(html).plain == nil)
  }

  @Test("bytes that are not UTF-8 are left to the parser")
  func invalid() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    bytes.withUnsafeBufferPointer { #expect(PlainMarkup.text($0) == nil) }
  }

  @Test("whatever is taken as plain has the parser's text", arguments: 1...400)
  func random(seed: Int) {
    let pieces = [
      "word", " ", "two words", "<p>", "</p>", "<b>", "</b>", "<br>", "<br/>",
      "<a href=\"u?a=1&b=2\">",
      "</a>", "<li>", "</li>", "<ul>", "</ul>", "&amp;", "&#8212;", "&nbsp;", "电池", "\u{A0}", "\n",
      "<div class=x>", "</div>", "<em>", "</em>", "<img alt='a b'>", "&lt;", "é", "<hr />", "x",
    ]
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    var html = ""
    for _ in 0..<12 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      html += pieces[Int(state >> 33) % pieces.count]
    }
    let (plain, parsed) = both(html)
    if let plain { #expect(plain == parsed, "seed \(seed): \(html)") }
  }
}
