import StarlingModel
import StarlingTool
import Testing

@Suite struct TableTests {
  private func render(
    _ rows: [[String]], width: Int?, columns: [Table.Column]? = nil, color: Bool = false
  ) -> [String] {
    let io = ToolIO.memory(
      width: width, isTerminal: width != nil, environment: color ? ["TERM": "xterm"] : [:])
    var table = Table(
      columns ?? [.init("title"), .init("price", isRight: true), .init("key", .key)],
      io: io)
    for row in rows { table.add(row) }
    table.finish()
    io.out.flush()
    return io.out.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("columns align by what a terminal shows")
  func aligns() {
    #expect(
      render([["电池车", "5", "k1"], ["a👍", "1299", "k2"]], width: 80) == [
        "title   price  key", "电池车      5  k1", "a👍      1299  k2", "",
      ])
  }

  @Test("a narrow terminal shortens the widest columns")
  func shortens() {
    let rows = [["A very long title that does not fit", "16.59-25.13万", "key-0123456789"]]
    for width in [20, 30, 40, 60] {
      let lines = render(rows, width: width)
      for line in lines { #expect(DisplayWidth.width(of: line) <= width) }
      #expect(lines[1].contains("…") == (width < 66))
    }
    #expect(render(rows, width: 42)[1] == "A very long title that do…  key-0123456789")
  }

  @Test("rows behind those that were measured widen a column rather than cut a number")
  func widens() {
    let many = (1...200).map { ["t\($0)", "\($0)", "k\($0)"] }
    let late = [["t1201", "1442401", "k/1201"], ["t1202", "1444804", "k/1202"]]
    let lines = render(many + late, width: 40)
    #expect(lines[200] == "t200     200  k200")
    #expect(lines[201] == "t1201  1442401  k/1201")
    #expect(lines[202] == "t1202  1444804  k/1202")
    // Without room left, texts give way.
    let tight = render(
      (1...200).map { ["a title of some length", "\($0)", "key\($0)"] }
        + [["a title of some length", "9007199254740993", "key"]], width: 34)
    #expect(tight[201].contains("9007199254740993"), "\(tight[201])")
    #expect(tight.allSatisfy { DisplayWidth.width(of: $0) <= 34 })
  }

  @Test("a narrow terminal keeps what the rows are compared by")
  func weighty() {
    var price = Table.Column("price", isRight: true)
    price.isWeighty = true
    let columns: [Table.Column] = [
      .init("name"), .init("series"), .init("energy"), price, .init("key", .key),
    ]
    let row = ["Mini Electric 300km", "Mini", "EV", "16.59-25.13万", "cars.example.cn/50012"]
    for width in [40, 48, 60] {
      let lines = render([row], width: width, columns: columns)
      #expect(lines[0].contains("price") && lines[1].contains("16.59-25.13万"), "\(lines)")
      #expect(lines.allSatisfy { DisplayWidth.width(of: $0) <= width }, "\(lines)")
      #expect(lines[1].contains("Mini Elec"), "\(lines)")
    }
    // Where nobody has a price it takes no room.
    let empty = render(
      [["Mini Electric", "Mini", "EV", "", "cars.example.cn/1"]], width: 40, columns: columns)
    #expect(empty[0].contains("series") && !empty[0].contains("price"), "\(empty)")
  }

  private let address = "https://www.example.org/news/articles/c0ffee123456"

  @Test("a long key leaves the title room and is cut in its middle, its scheme first")
  func sharesWithKey() {
    let rows = [
      ["A title that a person would like to read before any key", "", address],
      ["Short", "", "https://e.org/a"],
    ]
    #expect(
      render(rows, width: 80) == [
        "title                                            key",
        "A title that a person would like to read befor…  www.example.org…es/c0ffee123456",
        "Short                                            https://e.org/a", "",
      ])
    #expect(render(rows, width: 40)[1] == "A title that a person …  www.exa…e123456")
    #expect(
      render([["Short", "", address]], width: 54)[1]
        == "Short  …www.example.org/news/articles/c0ffee123456")
  }

  @Test(
    "what had no room is told below the table, with the way to see it, and never off a terminal")
  func tellsOfRest() {
    let columns = [
      Table.Column("title"), .init("author"), .init("empty"), .init("at", .whole),
      .init("key", .key),
    ]
    let cells = ["A title that is long", "Some Body", "", "2026-11-30 12:00", address]
    for (width, note) in [
      (120, ""), (80, "Not shown: the middle of keys (--json)\n"),
      (40, "Not shown: author, at, the middle of\nkeys (--json)\n"), (nil, ""),
    ] {
      let io = ToolIO.memory(width: width, isTerminal: width != nil)
      var table = Table(columns, io: io, wayToAll: "--json")
      table.add(cells)
      table.finish()
      #expect(io.err.text == note)
      if width == nil { #expect(io.out.text.contains(address) && io.out.text.contains("empty")) }
    }
  }

  @Test("columns that fit no more are left out from the right")
  func leavesOut() {
    let columns = (0..<6).map { Table.Column("column\($0)") }
    let lines = render([(0..<6).map { "value\($0)xx" }], width: 20, columns: columns)
    #expect(lines[1] == "value0xx  value1xx")
  }

  @Test("those without any value are left out first, and the first one and the key last")
  func leavesOutEmpty() {
    let columns =
      ["title", "likes", "author", "note"].map { Table.Column($0) }
      + [Table.Column("key", .key)]
    let rows = [["Title of a post", "", "Somebody", "A note", "site/1"]]
    #expect(
      render(rows, width: 42, columns: columns) == [
        "title            author    note    key", "Title of a post  Somebody  A note  site/1", "",
      ])
    #expect(render(rows, width: 24, columns: columns)[1] == "Title of a post  site/1")
    #expect(render(rows, width: 20, columns: columns)[1] == "Title of a …  site/1")
  }

  @Test("a number, a price or a time is left out rather than cut")
  func leavesWhole() {
    let columns = [
      Table.Column("title"), .init("price", .whole), .init("at", .whole),
      .init("key", .key),
    ]
    let rows = [["A rather long title", "16.59-25.13万", "2026-11-30 12:00", "1"]]
    #expect(
      render(rows, width: 57, columns: columns)[1]
        == "A rather long title  16.59-25.13万  2026-11-30 12:00  1")
    #expect(render(rows, width: 50, columns: columns)[1] == "A rather long title  16.59-25.13万  1")
    #expect(render(rows, width: 40, columns: columns)[1] == "A rather long title  16.59-25.13万  1")
    #expect(render(rows, width: 24, columns: columns)[1] == "A rather long title  1")
  }

  @Test("off a terminal nothing is cut")
  func keepsWhole() {
    let long = String(repeating: "x", count: 500)
    #expect(render([[long, "1", "k"]], width: nil)[1] == long + "      1  k")
  }

  @Test("rows after the measured ones stream, and a longer one takes the room that is left")
  func streams() {
    let rows =
      (0..<300).map { ["row\($0)", "\($0)", "k"] } + [["much longer than row0", "1", "k"]]
    #expect(render(rows, width: 17)[301] == "much lo…      1  k")
    #expect(render(rows, width: 40)[301] == "much longer than row0      1  k")
    #expect(render(rows, width: nil)[301] == "much longer than row0      1  k")
  }

  @Test("a cell cannot move the cursor or break the row")
  func escapes() {
    let lines = render([["a\u{1B}[2Jb\r\nc\u{202E}d\u{9B}", "", "k"]], width: 80)
    #expect(lines[1].hasPrefix("a\\u{1B}[2Jb c\\u{202E}d\\u{9B}"))
  }

  @Test("titles are bold where colors are shown")
  func styles() {
    #expect(
      render([["a", "1", "k"]], width: 80, color: true)[0] == "\u{1B}[1mtitle  price  key\u{1B}[0m")
  }

  @Test("a table without rows prints nothing")
  func isEmpty() {
    #expect(render([], width: 80) == [""])
  }
}
