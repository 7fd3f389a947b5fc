package import StarlingModel

/// A line of output as the user wants it: `{title}\t{url}`.
///
/// `{name}` is a field, or `kind`, `key`, `starred_at`, `tags`, `note`; `\t`, `\n`, `\\`, `\{` and
/// `\}` are what they are elsewhere. An absent value is empty. A value is in one line, safe for a
/// terminal.
package struct LineFormat: Sendable {
  private enum Part: Sendable {
    case literal(String)
    case name(String)
  }

  private var parts: [Part] = []

  /// What may be named beside the fields.
  package static let extraNames = ["kind", "key", "starred_at", "tags", "note"]

  /// - Parameter fields: the names of the fields of all kinds that will be printed.
  /// - Throws: a usage error for an unknown name, with the nearest right one, and an open brace.
  package init(_ format: String, fields: some Sequence<String>) throws(ToolError) {
    let names = Array(fields) + LineFormat.extraNames
    var literal = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\": literal += LineFormat.unescaped(rest.popFirst())
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw .usage("--format has \"{\" without \"}\"")
        }
        let name = String(rest[..<end])
        guard names.contains(name) else {
          let nearest = Spelling.nearest(to: name, among: names)
          let hint = nearest.map { "; did you mean {\($0)}?" } ?? ""
          throw .usage("--format names an unknown field {\(name)}" + hint)
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(.name(name))
        rest = rest[rest.index(after: end)...]
      default: literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
  }

  /// The line for an entity, or for a favorite of it; without a line end.
  package func line(_ entity: Entity, favorite: Favorite? = nil) -> String {
    var line = ""
    for part in parts {
      switch part {
      case .literal(let text): line += text
      case .name(let name):
        line += TerminalText.line(LineFormat.text(of: name, entity, favorite))
      }
    }
    return line
  }

  private static func unescaped(_ character: Character?) -> String {
    switch character {
    case "t": "\t"
    case "n": "\n"
    case "\\", "{", "}": character.map { String($0) } ?? ""
    case nil: "\\"
    default: "\\" + (character.map { String($0) } ?? "")
    }
  }

  private static func text(of name: String, _ entity: Entity, _ favorite: Favorite?) -> String {
    switch name {
    case "kind": entity.kind
    case "key": entity.key
    case "starred_at": favorite?.starredAt.description ?? ""
    case "tags": favorite?.tags.joined(separator: ",") ?? ""
    case "note": favorite?.note ?? ""
    default: entity.values[name]?.description ?? ""
    }
  }
}
