import Starling
import StarlingModel

/// Shows what a chunk gave: entities as tables, one as a card, lists of records as tables, all else
/// as Lua writes it.
struct ResultPrinter {
  let io: ToolIO
  /// Asked between values and lines: nothing more is written after a Ctrl-C.
  let isStopped: () -> Bool
  /// A kind by its name, if it is known already.
  let kind: (String) -> Kind?

  func write(_ results: [ConsoleResult]) {
    for result in results where !isStopped() { write(result) }
  }

  private func write(_ result: ConsoleResult) {
    // Only a person asks for a result by its number.
    let label = io.isOutputTerminal ? result.name.map { $0 + " = " } ?? "" : ""
    guard let table = result.value.table else { return writeText(result.value, label) }
    if let kind = entityKind(table) {
      writeLabel(label)
      return writeCard(table, kind)
    }
    guard table.fields.isEmpty, table.hiddenFields == 0, !table.elements.isEmpty else {
      return writeText(result.value, label)
    }
    let rows = table.elements.compactMap(\.table)
    guard rows.count == table.elements.count else { return writeText(result.value, label) }
    if let columns = columns(of: rows) {
      let count = rows.count + table.hiddenElements
      writeLabel(label + "\(ValueText.grouped(count)) \(count == 1 ? columns.one : columns.title)")
      write(rows, columns, result.name)
      if table.hiddenElements > 0 { io.out.writeLine(ValueText.hidden(table.hiddenElements)) }
    } else {
      writeText(result.value, label)
    }
  }

  private func writeLabel(_ text: String) {
    guard io.isOutputTerminal, !text.isEmpty else { return }
    let label = text.hasSuffix(" = ") ? String(text.dropLast(1)) : text
    io.out.writeLine(io.styled(TerminalText.line(label), .dim))
  }

  private func writeText(_ value: ConsoleValue, _ label: String) {
    let text = ValueText(width: io.width ?? 80, cuts: io.width != nil)
    let lines = text.lines(value, label: label)
    for (index, line) in lines.enumerated() where !isStopped() {
      guard index == 0, !label.isEmpty, line.hasPrefix(label) else {
        io.out.writeLine(line)
        continue
      }
      io.out.writeLine(io.styled(label, .dim) + line.dropFirst(label.count))
    }
  }

  // MARK: Entities

  /// The kind of a table that is an entity of the store; a change of the history is none.
  private func entityKind(_ table: ConsoleValue.Table) -> Kind? {
    guard table.elements.isEmpty, table["action"] == nil, table["key"] != nil,
      let name = table["kind"]?.text
    else { return nil }
    return kind(name)
  }

  private func writeCard(_ table: ConsoleValue.Table, _ kind: Kind) {
    let key = table["key"].map { cell($0, nil) } ?? ""
    io.out.writeLine(io.styled(TerminalText.line(kind.name + " " + key), .bold))
    var rows: [(String, String)] = []
    var shown: Set = ["kind", "key"]
    for field in kind.fields {
      shown.insert(field.name)
      if let value = table[field.name] { rows.append((field.name, cell(value, field.type))) }
    }
    for name in ["starred_at", "first_seen", "last_seen", "source", "tags", "note", "causes"] {
      shown.insert(name)
      guard let value = table[name] else { continue }
      if name == "causes" {
        rows += causes(value)
      } else {
        rows.append((name, cell(value, ResultPrinter.type(of: name))))
      }
    }
    for field in table.fields {
      guard let name = field.key.text, !shown.contains(name) else { continue }
      rows.append((TerminalText.line(name), cell(field.value, nil)))
    }
    Card.write(rows.filter { !$0.1.isEmpty }, io: io)
  }

  private func causes(_ value: ConsoleValue) -> [(String, String)] {
    (value.table?.elements ?? []).map { cause in
      guard let cause = cause.table else { return ("cause", cell(cause, nil)) }
      let by = cause["by"]?.text ?? ""
      let name = cause["rule"]?.text ?? cause["script"]?.text ?? cause["file"]?.text
      let at = cause["at"].map { ", " + cell($0, .time) } ?? ""
      return ("cause", "by \(by)" + (name.map { " \"\($0)\"" } ?? "") + at)
    }
  }

  // MARK: Tables

  private struct Columns {
    /// What several of the rows are, and one.
    var title: String
    var one: String
    var fields: [Column]
  }

  private struct Column {
    var name: String
    var type: FieldType?
    var isRight = false
  }

  private func columns(of rows: [ConsoleValue.Table]) -> Columns? {
    let kinds = rows.map { entityKind($0)?.name }
    if let name = kinds.first ?? nil, kinds.allSatisfy({ $0 == name }), let kind = kind(name) {
      return entityColumns(kind, rows)
    }
    if kinds.allSatisfy({ $0 != nil }) {
      return Columns(
        title: "entities", one: "entity",
        fields: [
          Column(name: "kind"), Column(name: "title"), Column(name: "name"),
          Column(name: "key"),
        ])
    }
    return recordColumns(rows)
  }

  private func entityColumns(_ kind: Kind, _ rows: [ConsoleValue.Table]) -> Columns {
    var columns = Columns(title: kind.name, one: kind.name, fields: [])
    for index in kind.shownFields {
      let field = kind.fields[index]
      columns.fields.append(
        Column(name: field.name, type: field.type, isRight: field.type.isNumber))
    }
    columns.fields.append(Column(name: "key"))
    let hasTags = rows.contains { row in row["tags"]?.table.map { !$0.isEmpty } ?? false }
    if hasTags { columns.fields.append(Column(name: "tags")) }
    return columns
  }

  /// Tables with the same kind of names, such as the changes of the history.
  private func recordColumns(_ rows: [ConsoleValue.Table]) -> Columns? {
    var names: Set<String> = []
    for row in rows {
      guard row.elements.isEmpty, !row.fields.isEmpty else { return nil }
      for field in row.fields {
        guard let name = field.key.text, isCell(field.value) else { return nil }
        names.insert(name)
      }
    }
    guard names.count <= 24 else { return nil }
    let isHistory = names.isSuperset(of: ["id", "at", "action", "kind", "key"])
    let first = isHistory ? ["id", "at", "action", "kind", "key", "by"] : []
    let order = first + names.subtracting(first).sorted()
    return Columns(
      title: isHistory ? "changes" : "rows", one: isHistory ? "change" : "row",
      fields: order.map { name in
        let isNumber = rows.allSatisfy { row in row[name].map(ResultPrinter.isNumber) ?? true }
        let type: FieldType? = isHistory && name == "at" ? .time : nil
        return Column(
          name: name, type: type, isRight: isNumber && type == nil)
      })
  }

  private static func isNumber(_ value: ConsoleValue) -> Bool {
    switch value {
    case .integer, .number: true
    default: false
    }
  }

  /// Whether a value stands well in a cell: no table but money and short lists of texts.
  private func isCell(_ value: ConsoleValue) -> Bool {
    guard let table = value.table else { return value != .deeper && value != .cycle }
    if ResultPrinter.money(table) != nil { return true }
    return table.fields.isEmpty && table.elements.allSatisfy { $0.table == nil }
  }

  private func write(_ rows: [ConsoleValue.Table], _ columns: Columns, _ name: String?) {
    var table = Table(
      columns.fields.map { field in
        let isWhole = field.isRight || field.type?.isWhole == true
        var column = Table.Column(
          TerminalText.line(field.name), field.name == "key" ? .key : isWhole ? .whole : .text,
          isRight: field.isRight)
        column.isWeighty = field.type == .money
        return column
      }, io: io, wayToAll: name.map { "\($0)[1] shows one whole" })
    for row in rows {
      table.add(columns.fields.map { field in row[field.name].map { cell($0, field.type) } ?? "" })
    }
    table.finish()
  }

  // MARK: Cells

  private static func type(of name: String) -> FieldType? {
    ["starred_at", "first_seen", "last_seen"].contains(name) ? .time : nil
  }

  private static func money(_ table: ConsoleValue.Table) -> String? {
    let names = table.fields.compactMap(\.key.text)
    guard table.elements.isEmpty, names.contains("text"),
      Set(names).isSubset(of: ["low", "high", "currency", "text"])
    else { return nil }
    return table["text"]?.text
  }

  /// A value without quotes, as a person reads it.
  private func cell(_ value: ConsoleValue, _ type: FieldType?) -> String {
    switch value {
    case .text(let text): return text.hiddenBytes == 0 ? text.text : text.text + "…"
    case .integer(let seconds) where type == .time:
      return Timestamp(secondsSinceEpoch: seconds).description
    case .table(let table):
      if let money = ResultPrinter.money(table) { return money }
      guard table.fields.isEmpty else { return ValueText.inline(value, room: .max) ?? "" }
      let parts = table.elements.map { cell($0, nil) }
      let hidden = table.hiddenElements > 0 ? [ValueText.hidden(table.hiddenElements)] : []
      return (parts + hidden).joined(separator: ", ")
    default: return ValueText.scalar(value)
    }
  }
}
