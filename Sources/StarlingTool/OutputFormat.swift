import StarlingModel

/// A line of `list --format`: text with fields in braces, such as `{title}\t{url}`.
struct OutputFormat: Sendable {
  private enum Part: Sendable {
    case text(String)
    case field(String)
  }

  private var parts: [Part] = []

  /// - Throws: a usage error for a brace that is not closed.
  init(parsing format: String) throws(ToolError) {
    var text = ""
    var rest = format[...]
    while let first = rest.popFirst() {
      switch first {
      case "\\":
        let next = rest.popFirst()
        text += next.map { OutputFormat.escapes[$0] ?? "\\\($0)" } ?? "\\"
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw .usage("--format has a { without }: \"\(format)\"")
        }
        parts.append(.text(text))
        text = ""
        parts.append(.field(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      default: text.append(first)
      }
    }
    parts.append(.text(text))
  }

  private static let escapes: [Character: String] = [
    "t": "\t", "n": "\n", "\\": "\\", "{": "{", "}": "}",
  ]

  /// The line of one entity; a field that it does not have is empty. Texts are in one line, with
  /// nothing that could move a cursor.
  func text(_ record: EntityRecord, kind: Kind) -> String {
    parts.reduce(into: "") { line, part in
      switch part {
      case .text(let text): line += text
      case .field("key"): line += TerminalText.line(record.string(record.key))
      case .field("kind"): line += kind.name
      case .field(let name):
        if let index = kind.index(of: name), let value = record.value(index) {
          line += TerminalText.line(value.description)
        }
      }
    }
  }
}
