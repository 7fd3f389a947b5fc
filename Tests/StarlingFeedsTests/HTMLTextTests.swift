import Testing

@testable import StarlingFeeds

@Suite struct HTMLTextTests {
  @Test(
    "HTML becomes the text that a person would read",
    arguments: [
      ("plain  text \n here ", "plain text here"), ("", ""), ("  ", ""), ("AT&T", "AT&T"),
      ("AT&amp;T", "AT&T"), ("a &#8211; b", "a – b"), ("&#150;&#x92;", "–’"),
      ("2 < 3 & 4 > 1", "2 < 3 & 4 > 1"), ("&lt;b> stays", "<b> stays"),
      ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("a&nbsp;b\u{A0}c", "a b c"),
      ("<p>One</p><p>Two</p>", "One Two"), ("A <b>bo</b>ld word", "A bold word"),
      ("line<br>break<br/>again", "line break again"), ("<ul><li>a<li>b</ul>", "a b"),
      ("x<script>alert(1)</script>y<style>p{}</style>z", "x y z"),
      ("<a href=\"x\">link</a>, text", "link, text"),
      ("caf&eacute; &hellip; &copy;2024", "café … ©2024"),
      ("<!-- hidden -->shown", "shown"), ("中文<em>标题</em>测试", "中文标题测试"),
      ("&unknown; &x;", "&unknown; &x;"),
      ("<img src=x alt=y>after", "after"), ("unclosed <b>bold", "unclosed bold"), ("&lt", "<"),
      ("&#0;&#x110000;&#xD800;", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("<td>1</td><td>2</td>", "1 2"),
    ])
  func reads(html: String, text: String) {
    #expect(HTMLText.plain(html) == text)
  }

  @Test("appending starts a text of its own")
  func appends() {
    var output = Array("x".utf8)
    Array("<p>y</p>".utf8).withUnsafeBytes { HTMLText.appendPlain($0, to: &output) }
    #expect(String(decoding: output, as: UTF8.self) == "xy")
  }

  @Test("a hundred thousand open tags are no danger")
  func survivesDepth() {
    let deep = String(repeating: "<div>", count: 100_000) + "x"
    _ = HTMLText.plain(deep)
    let text = HTMLText.plain(String(repeating: "<b>", count: 1000) + "x")
    #expect(text.hasSuffix("x") || text.isEmpty)
  }
}
