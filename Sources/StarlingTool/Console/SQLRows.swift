import StarlingModel

/// What `:sql` gives: a table for a person, an object a row for a program.
struct SQLRows {
  private let io: ToolIO
  private let isJSON: Bool
  private var table: Table
  private var names: [String] = []

  init(io: ToolIO, isJSON: Bool) {
    self.io = io
    self.isJSON = isJSON
    table = Table([], io: io)
  }

  mutating func begin(_ names: [String]) {
    self.names = names
    table = Table(
      names.map { Table.Column(TerminalText.line($0)) }, io: io,
      wayToAll: "ask for fewer columns")
  }

  mutating func add(_ values: [Value?]) {
    guard isJSON else { return table.add(values.map { $0?.description ?? "" }) }
    var json = JSONWriter()
    json.beginObject()
    for (name, value) in zip(names, values) {
      json.name(name)
      if let value { json.value(value) } else { json.null() }
    }
    json.endObject()
    json.newline()
    io.out.write(json.take())
  }

  mutating func finish() {
    table.finish()
  }
}
