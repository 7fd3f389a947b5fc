package import StarlingModel

/// One entity as a person reads it: a field a line, long texts wrapped beside their name.
package enum Card {
  /// Writes an entity; of a favorite also when, tags, note and causes.
  package static func write(
    _ entity: Entity, favorite: Favorite? = nil, kind: Kind, io: ToolIO
  ) {
    io.out.writeLine(io.styled(TerminalText.line(entity.kind + " " + entity.key), .bold))
    var rows: [(String, String)] = []
    for field in kind.fields {
      if let value = entity.values[field.name] { rows.append((field.name, value.description)) }
    }
    if let favorite { rows += CauseText.rows(of: favorite) }
    write(rows, io: io)
  }

  /// Writes names and texts in two columns.
  package static func write(_ rows: [(String, String)], io: ToolIO) {
    let first = (rows.map { DisplayWidth.width(of: $0.0) }.max() ?? 0) + 4
    let width = io.width.map { max(16, $0 - first) }
    for (name, text) in rows {
      let lines = TerminalText.wrapped(text, to: width)
      let label = DisplayWidth.pad("  " + name, to: first)
      io.out.writeLine(io.styled(label, .dim) + (lines.first ?? ""))
      for line in lines.dropFirst() {
        io.out.writeLine(String(repeating: " ", count: first) + line)
      }
    }
  }
}
