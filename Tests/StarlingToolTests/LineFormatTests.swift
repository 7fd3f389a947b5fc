import StarlingModel
import StarlingTool
import Testing

@Suite struct LineFormatTests {
  private let entity = Entity(
    kind: "news", key: "k", values: ["title": "a\n\u{1B}b", "likes": 3])

  private func line(_ format: String, favorite: Favorite? = nil) throws -> String {
    try LineFormat(format, fields: ["title", "likes", "url"]).line(entity, favorite: favorite)
  }

  @Test("names are replaced by values, escapes by what they mean")
  func formats() throws {
    #expect(try line(#"{title}\t{likes}|{url}|"#) == "a \\u{1B}b\t3||")
    #expect(try line(#"\{{kind}\} {key}\n\\\x\"#) == "{news} k\n\\\\x\\")
    #expect(try line("") == "")
  }

  @Test("a favorite adds when, tags and note")
  func favorites() throws {
    let favorite = Favorite(
      entity: entity, starredAt: Timestamp(secondsSinceEpoch: 0), tags: ["x", "y"], note: "n",
      causes: [])
    #expect(
      try line("{starred_at} {tags} {note}", favorite: favorite) == "1970-01-01T00:00:00Z x,y n")
    #expect(try line("{starred_at}{tags}{note}") == "")
  }

  @Test("an unknown name is an error with the nearest right one")
  func errors() {
    #expect(
      throws: ToolError.usage("--format names an unknown field {titel}; did you mean {title}?")
    ) {
      try line("{titel}")
    }
    #expect(throws: ToolError.usage("--format has \"{\" without \"}\"")) { try line("{title") }
  }
}
