import Starling
import StarlingModel

/// Writes what a chunk gave as JSON Lines, a result each: what a program reads.
struct ResultJSON {
  let io: ToolIO

  func write(_ results: [ConsoleResult]) {
    for result in results {
      if case .more(let count) = result.value {
        io.report("results", "\(CountText.of(count, "more value")) left out")
        continue
      }
      if let whole = result.json {
        io.out.write(whole)
        io.out.writeLine()
        continue
      }
      var json = JSONWriter()
      var isWhole = true
      write(result.value, to: &json, &isWhole)
      json.newline()
      io.out.write(json.take())
      guard !isWhole else { continue }
      io.report(
        result.name ?? "result",
        "JSON has no form for a part of it, such as a function or a table within itself; what is "
          + "long or deep is cut")
    }
  }

  /// - Parameter isWhole: becomes false where something was left out.
  private func write(_ value: ConsoleValue, to json: inout JSONWriter, _ isWhole: inout Bool) {
    switch value {
    case .nil, .null: json.null()
    case .boolean(let flag): json.boolean(flag)
    case .integer(let number): json.integer(number)
    // Lua writes what JSON has not as `inf` and `nan`.
    case .number(let text): json.real(Double(text) ?? .nan)
    case .text(let text):
      if text.hiddenBytes > 0 { isWhole = false }
      json.text(text.text)
    case .table(let table):
      if table.hiddenElements + table.hiddenFields > 0 { isWhole = false }
      write(table, to: &json, &isWhole)
    case .cycle, .deeper, .more:
      isWhole = false
      json.null()
    case .function, .opaque:
      isWhole = false
      json.text(ValueText.scalar(value))
    }
  }

  /// A list, or an object where it has names; one that has both has the places of its elements as
  /// names.
  private func write(
    _ table: ConsoleValue.Table, to json: inout JSONWriter, _ isWhole: inout Bool
  ) {
    guard !table.fields.isEmpty else {
      json.beginArray()
      for element in table.elements { write(element, to: &json, &isWhole) }
      return json.endArray()
    }
    json.beginObject()
    for (place, element) in table.elements.enumerated() {
      json.name(String(place + 1))
      write(element, to: &json, &isWhole)
    }
    for field in table.fields {
      json.name(field.key.text ?? ValueText.scalar(field.key))
      write(field.value, to: &json, &isWhole)
    }
    json.endObject()
  }
}
