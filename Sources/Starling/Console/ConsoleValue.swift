/// A Lua value as far as a person is shown it: read raw, and cut in depth, breadth and length.
package indirect enum ConsoleValue: Hashable, Sendable {
  case `nil`
  /// `json.null`.
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A float as Lua writes it.
  case number(String)
  case text(Text)
  case table(Table)
  /// A table that is one of those it stands in.
  case cycle
  /// A table that lies deeper than is shown.
  case deeper
  /// With its global name, if it has one.
  case function(String?)
  /// What Lua code can only hold, by the name of its type: userdata, coroutines.
  case opaque(String)
  /// So many values that stand behind the last and were left out.
  case more(Int)

  package struct Text: Hashable, Sendable {
    /// What is not UTF-8 is U+FFFD.
    package var text: String
    /// Bytes behind it that were left out.
    package var hiddenBytes = 0

    package init(_ text: String, hiddenBytes: Int = 0) {
      self.text = text
      self.hiddenBytes = hiddenBytes
    }
  }

  package struct Field: Hashable, Sendable {
    package var key: ConsoleValue
    package var value: ConsoleValue

    package init(_ key: ConsoleValue, _ value: ConsoleValue) {
      self.key = key
      self.value = value
    }
  }

  package struct Table: Hashable, Sendable {
    /// Those at 1, 2, 3...
    package var elements: [ConsoleValue]
    /// Elements behind them that were left out.
    package var hiddenElements: Int
    /// All others: names sorted by their bytes, then numbers, then the rest.
    package var fields: [Field]
    package var hiddenFields: Int

    package init(
      elements: [ConsoleValue] = [], hiddenElements: Int = 0, fields: [Field] = [],
      hiddenFields: Int = 0
    ) {
      self.elements = elements
      self.hiddenElements = hiddenElements
      self.fields = fields
      self.hiddenFields = hiddenFields
    }

    package var isEmpty: Bool {
      elements.isEmpty && fields.isEmpty && hiddenElements + hiddenFields == 0
    }

    /// The value of a named field.
    package subscript(name: String) -> ConsoleValue? {
      fields.first { $0.key == .text(Text(name)) }?.value
    }
  }

  /// The whole of a text that was not cut.
  package var text: String? {
    if case .text(let text) = self, text.hiddenBytes == 0 { text.text } else { nil }
  }

  package var table: Table? {
    if case .table(let table) = self { table } else { nil }
  }
}

/// What a chunk of the console gave: a value, and the global that keeps it.
package struct ConsoleResult: Hashable, Sendable {
  /// `_1`, `_2`, ...; nil for nil, which is not kept.
  package var name: String?
  package var value: ConsoleValue
  /// All of it as JSON, where that is asked for and there is such.
  package var json: [UInt8]?

  package init(name: String?, value: ConsoleValue, json: [UInt8]? = nil) {
    self.name = name
    self.value = value
    self.json = json
  }
}
