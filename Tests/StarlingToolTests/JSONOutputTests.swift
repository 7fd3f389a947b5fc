import StarlingModel
import Testing

@testable import StarlingTool

/// What programs read: with `--json` every line of standard output is one JSON object, and the
/// statuses stay.
@Suite struct JSONOutputTests {
  @Test("with --json a command prints JSON objects and nothing else", arguments: cases)
  func printsObjects(_ example: JSONCase) throws {
    let place = Workplace()
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("ok.xml", Workplace.feed(items: 2))
    place.write("r.lua", "rule \"One\" { title = has{ \"Item 1\" }, star, tag \"first\" }\n")
    _ = place.run("load", "@ok.xml", "--rules", "@r.lua")
    _ = place.run("unstar", "thing", "refused")
    let outcome = place.run(example.arguments + ["--json"])
    #expect(outcome.status == example.status, "\(outcome)")
    #expect(outcome.lines.count == example.lines, "\(outcome)")
    for line in outcome.lines {
      #expect(line.hasPrefix("{") && line.hasSuffix("}"), "\(line)")
      place.write("line.json", line)
      #expect(place.run("decode", "@line.json", "--json-value").status == 0, "\(line)")
    }
    for part in example.parts { #expect(outcome.out.contains(part), "\(outcome.out)") }
  }

  static let cases: [JSONCase] = [
    JSONCase("load", "@ok.xml", lines: 1, parts: ["\"items\":2", "\"unchanged\":2"]),
    JSONCase(
      "load", "@ok.xml", "@none.xml", status: 1, lines: 2,
      parts: [
        "\"error\":{\"kind\":\"host\",\"message\":\"no such file or directory\","
          + "\"subject\":\"@none.xml\"}"
      ]),
    JSONCase("decode", "@ok.xml", lines: 1, parts: ["\"entries\":["]),
    JSONCase(
      "list", lines: 1,
      parts: [
        "\"kind\":\"thing\",\"key\":\"https://e.org/1\",\"id\":\"https://e.org/1\"",
        "\"title\":\"Item 1\",\"starred_at\":\"", "\"tags\":[\"first\"]",
        "\"causes\":[{\"by\":\"rule\",\"rule\":\"One\",\"version\":\"",
        "\"evidence\":[{\"field\":\"title\",",
      ]),
    JSONCase("list", "thing", "--all", lines: 2, parts: ["\"title\":\"Item 2\"}"]),
    JSONCase("list", "thign", status: 3, lines: 0),
    JSONCase("search", "item", "--all", lines: 2),
    JSONCase("show", "thing", "https://e.org/2", lines: 1, parts: ["\"title\":\"Item 2\""]),
    JSONCase("show", "thing", "9", status: 1, lines: 0),
    JSONCase("contains", "thing", "9", status: 1, lines: 1, parts: ["\"favorite\":false"]),
    JSONCase("star", "thing", "9", lines: 1, parts: ["\"favorite\":true"]),
    JSONCase("unstar", "thing", "9", lines: 1, parts: ["\"favorite\":false"]),
    JSONCase("toggle", "thing", "9", lines: 1, parts: ["\"favorite\":true"]),
    JSONCase("why", "thing", "https://e.org/1", lines: 1, parts: ["\"by\":\"rule\""]),
    JSONCase("why", "thing", "9", status: 1, lines: 0),
    JSONCase(
      "history", lines: 2,
      parts: ["\"by\":\"rule\",\"rule\":\"One\"", "\"action\":\"refuse\"", "\"by\":\"hand\""]),
    JSONCase("undo", lines: 1, parts: ["\"id\":2"]),
    JSONCase("refusals", "list", lines: 1, parts: ["\"key\":\"refused\""]),
    JSONCase("refusals", "lift", "thing", "refused", lines: 1, parts: ["\"lifted\":true"]),
    JSONCase("rules", "check", "@r.lua", lines: 1, parts: ["\"ok\":true"]),
    JSONCase("rules", "list", "@r.lua", lines: 1, parts: ["\"name\":\"One\""]),
    JSONCase("rules", "check", "@none.lua", status: 3, lines: 0),
    JSONCase("rules", "new", "@new.lua", lines: 1, parts: ["\"written\":true"]),
    JSONCase("rules", "try", "@r.lua", lines: 2, parts: ["\"change\":\"already\""]),
    JSONCase("rules", "apply", "@r.lua", lines: 1, parts: ["\"entities\":2"]),
    JSONCase("plugins", "list", lines: 1, parts: ["\"kinds\":[\"thing\"]"]),
    JSONCase("plugins", "try", "things", "@ok.xml", lines: 2, parts: ["\"title\":\"Item 1\""]),
    JSONCase("doctor", lines: 1, parts: ["\"ok\":true"]),
    JSONCase("backup", "@copy.db", lines: 1, parts: ["\"backup\":\"@copy.db\""]),
  ]
}

/// A command line with the number of objects that it prints and pieces of them.
struct JSONCase: CustomTestStringConvertible, Sendable {
  var arguments: [String]
  var status: Int32
  var lines: Int
  var parts: [String]

  init(_ arguments: String..., status: Int32 = 0, lines: Int, parts: [String] = []) {
    self.arguments = arguments
    self.status = status
    self.lines = lines
    self.parts = parts
  }

  var testDescription: String { arguments.joined(separator: " ") }
}
