import Glibc
import StarlingModel
import Testing

@testable import StarlingFavorites

/// Runs every cell of the tables in `Decisions.md`, the reference of who may what.
///
/// `UPDATE_GOLDEN=1 swift test --filter DecisionTests` writes the cells anew; their diff is read.
@Suite struct DecisionTests {
  private static let path =
    #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    + "/Sources/Starling/Starling.docc/Decisions.md"

  @Test("what the reference says of each decision is what the store does")
  func tables() throws {
    let text = try #require(Self.read())
    var lines: [String] = []
    var columns: [String] = []
    var (ran, section) = (0, "")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(String(line))
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      let cells = line.split(separator: "|").map { $0.trimming() }
      guard line.hasPrefix("| "), let first = cells.first else { continue }
      if first == "who" || first == "what" {
        columns = Array(cells.dropFirst())
        continue
      }
      var row = [first]
      for (place, column) in columns.enumerated() {
        let outcome =
          switch section {
          case "Undo": try UndoDecision(what: first, since: column).outcome()
          case "A new key": try KeyDecision(old: first, new: column).outcome()
          default: try Decision(who: first, before: column, section: .init(section)).outcome()
          }
        row.append(outcome)
        ran += 1
        let told = cells.indices.contains(place + 1) ? cells[place + 1] : ""
        if getenv("UPDATE_GOLDEN") == nil {
          #expect(outcome == told, "\(section), \(first), before: \(column)")
        }
      }
      lines[lines.count - 1] = "| " + row.joined(separator: " | ") + " |"
    }
    #expect(ran > 300)
    if getenv("UPDATE_GOLDEN") != nil { Self.write(lines.joined(separator: "\n")) }
  }

  private static func read() -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func write(_ text: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}

extension Substring {
  fileprivate func trimming() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
