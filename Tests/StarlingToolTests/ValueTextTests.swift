import Starling
import Testing

@testable import StarlingTool

@Suite struct ValueTextTests {
  private typealias Table = ConsoleValue.Table
  private typealias Field = ConsoleValue.Field

  private func text(_ text: String) -> ConsoleValue { .text(ConsoleValue.Text(text)) }

  private func lines(_ value: ConsoleValue, width: Int = 40, label: String = "") -> [String] {
    ValueText(width: width, cuts: true).lines(value, label: label)
  }

  @Test("scalars are as Lua writes them")
  func scalars() {
    let values: [(ConsoleValue, String)] = [
      (.nil, "nil"), (.null, "json.null"), (.boolean(true), "true"), (.integer(-7), "-7"),
      (.number("0.5"), "0.5"), (text("a"), "\"a\""), (.function("print"), "function print"),
      (.function(nil), "function"), (.opaque("userdata"), "<userdata>"), (.cycle, "<cycle>"),
      (.deeper, "{…}"), (.table(Table()), "{}"),
    ]
    for (value, expected) in values { #expect(lines(value) == [expected]) }
  }

  @Test("a text cannot move the cursor, break its line, or turn the direction of writing")
  func escapes() {
    let wild = "a\u{1B}[2J\u{9B}1A\r\n\t\"\\\u{202E}b\u{7}"
    let expected = #""a\u{1B}[2J\u{9B}1A\r\n\t\"\\\u{202E}b\u{7}""#
    #expect(lines(text(wild)) == [expected])
    let key = Field(text("x\u{1B}[A"), .integer(1))
    #expect(lines(.table(Table(fields: [key]))) == [#"{ ["x\u{1B}[A"] = 1 }"#])
  }

  @Test("a table that fits stands in one line, else in one for each part, cut to the width")
  func layout() {
    let table = Table(
      elements: [.integer(1), text("two")],
      fields: [Field(text("a"), .boolean(false)), Field(.integer(9), .integer(9))])
    #expect(lines(.table(table)) == [#"{ 1, "two", a = false, [9] = 9 }"#])
    let wide = Table(fields: [
      Field(text("name"), text(String(repeating: "电", count: 30))),
      Field(text("inner"), .table(table)),
    ])
    let found = lines(.table(wide), width: 30, label: "_1 = ")
    #expect(
      found == [
        "_1 = {", "  name = \"电电电电电电电电电…", "  inner = {", "    1,", "    \"two\",",
        "    a = false,", "    [9] = 9,", "  },", "}",
      ])
  }

  @Test("what was left out is counted")
  func hidden() {
    let table = Table(
      elements: [.integer(1)], hiddenElements: 999_999, fields: [Field(text("a"), .deeper)],
      hiddenFields: 3)
    #expect(
      lines(.table(table), width: 20) == [
        "{", "  1,", "  … 999,999 more", "  a = {…},", "  … 3 more", "}",
      ])
    #expect(
      lines(.text(ConsoleValue.Text("ab", hiddenBytes: 4_000_000))) == [
        "\"ab\"… 4,000,000 more bytes"
      ])
  }
}
