import Starling
import StarlingModel

/// A Lua value as text: `{ 1, 2, name = "x" }`, in one line where that fits, else a line for each
/// part. Names are sorted; nothing in it can move a cursor.
struct ValueText {
  /// Columns of a line; lines are cut to it where `cuts`.
  var width: Int
  var cuts: Bool
  /// The most lines.
  var maximumLines = 400

  func lines(_ value: ConsoleValue, label: String = "") -> [String] {
    var lines: [String] = []
    append(value, label: label, ending: "", indent: 0, to: &lines)
    if lines.count > maximumLines {
      let hidden = lines.count - maximumLines
      lines = Array(lines.prefix(maximumLines)) + ["… " + CountText.of(hidden, "more line")]
    }
    // A text alone is shown whole; the terminal breaks its line.
    if value.table == nil || !cuts { return lines }
    return lines.map { DisplayWidth.cut($0, to: width) }
  }

  private func append(
    _ value: ConsoleValue, label: String, ending: String, indent: Int, to lines: inout [String]
  ) {
    guard lines.count <= maximumLines + 1 else { return }
    let margin = String(repeating: "  ", count: indent)
    let room = width - 2 * indent - DisplayWidth.width(of: label) - ending.utf8.count
    guard let table = value.table, ValueText.inline(value, room: room) == nil else {
      let text = ValueText.inline(value, room: .max) ?? ""
      lines.append(margin + label + text + ending)
      return
    }
    lines.append(margin + label + "{")
    for element in table.elements {
      append(element, label: "", ending: ",", indent: indent + 1, to: &lines)
    }
    if table.hiddenElements > 0 {
      lines.append(margin + "  " + ValueText.hidden(table.hiddenElements))
    }
    for field in table.fields {
      let label = ValueText.name(field.key) + " = "
      append(field.value, label: label, ending: ",", indent: indent + 1, to: &lines)
    }
    if table.hiddenFields > 0 {
      lines.append(margin + "  " + ValueText.hidden(table.hiddenFields))
    }
    lines.append(margin + "}" + ending)
  }

  /// The value in one line; nil when it takes more columns than there are.
  static func inline(_ value: ConsoleValue, room: Int) -> String? {
    guard let table = value.table else {
      let text = scalar(value)
      return room == .max || DisplayWidth.width(of: text) <= room ? text : nil
    }
    if table.isEmpty { return "{}" }
    var parts: [String] = []
    var columns = 2
    func add(_ part: String?) -> Bool {
      guard let part else { return false }
      parts.append(part)
      columns += DisplayWidth.width(of: part) + 2
      return columns <= room
    }
    for element in table.elements {
      guard add(inline(element, room: room)) else { return nil }
    }
    if table.hiddenElements > 0, !add(hidden(table.hiddenElements)) { return nil }
    for field in table.fields {
      let value = inline(field.value, room: room)
      guard add(value.map { name(field.key) + " = " + $0 }) else { return nil }
    }
    if table.hiddenFields > 0, !add(hidden(table.hiddenFields)) { return nil }
    return "{ " + parts.joined(separator: ", ") + " }"
  }

  /// A value that is no table that is shown.
  static func scalar(_ value: ConsoleValue) -> String {
    switch value {
    case .nil: "nil"
    case .null: "json.null"
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let text): TerminalText.line(text)
    case .text(let text): quoted(text)
    case .table: "{…}"
    case .cycle: "<cycle>"
    case .deeper: "{…}"
    case .function(let name): name.map { "function \(TerminalText.line($0))" } ?? "function"
    case .opaque(let type): "<\(TerminalText.line(type))>"
    case .more(let count): hidden(count)
    }
  }

  private static func quoted(_ text: ConsoleValue.Text) -> String {
    let quoted = TerminalText.quoted(text.text)
    return text.hiddenBytes == 0
      ? quoted
      : quoted + "… \(grouped(text.hiddenBytes)) more "
        + (text.hiddenBytes == 1 ? "byte" : "bytes")
  }

  private static func name(_ key: ConsoleValue) -> String {
    guard let name = key.text else { return "[" + scalar(key) + "]" }
    return isName(name) ? name : "[" + TerminalText.quoted(name) + "]"
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first < 0x30 || first > 0x39 else { return false }
    return text.utf8.allSatisfy { byte in
      (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
        || byte == 0x5F
    }
  }

  static func hidden(_ count: Int) -> String { "… \(grouped(count)) more" }

  /// `1,234,567`
  static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }
}
