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

  @Test(
    "broken markup loses nothing but itself",
    arguments: [
      ("a<b", "a"), ("a <b c='d\">e</b> f", "a e f"), ("<a b='c>d' e>f</a>", "f"),
      ("a<!-- b", "a"), ("a<!-->b", "ab"), ("a<!x>b<?y?>c", "abc"), ("a</ b>c", "ac"),
      ("<script>a</b></SCRIPT >c", "c"), ("a<script>b", "a"), ("<P>a</P>B", "a B"),
      ("a<p:x>b", "a b"), ("a<", "a<"), ("<<b>a", "<a"), ("a</p>b</i>c", "a bc"),
    ])
  func broken(html: String, text: String) {
    #expect(HTMLText.plain(html) == text)
  }

  @Test("bytes that are not UTF-8 become U+FFFD")
  func invalid() {
    let bytes: [UInt8] = [0x3C, 0x62, 0x3E, 0x61, 0xFF, 0x62]
    let text = bytes.withUnsafeBytes { HTMLText.plain($0) }
    #expect(String(decoding: text, as: UTF8.self) == "a\u{FFFD}b")
  }

  @Test(
    "the time is linear, however deep and broken the markup is",
    arguments: [
      "<i>", "</b>", "<div><p>", "<a x=1 y='", "<!--", "<!-", "<", "</", "<script>", "&amp",
      "<a x=\"",
      "<table><tr>",
    ])
  func linear(piece: String) {
    let html =
      String(repeating: "<i>", count: 300_000) + String(repeating: piece, count: 300_000) + "x"
    let time = ContinuousClock().measure { _ = HTMLText.plain(html) }
    #expect(time < .seconds(10), "\(piece)")  // some 50 ms; with a tree hours
  }

  @Test("a long text ends when it is asked to")
  func stops() {
    let html = Array(String(repeating: "<i>a</b>", count: 100_000).utf8)
    var asked = 0
    let text = html.withUnsafeBytes {
      HTMLText.plain($0) {
        asked += 1
        return asked == 3
      }
    }
    #expect(asked == 3)
    #expect(text.count < 10_000)
  }
}
