import StarlingModel

/// A plugin that is about to be written: what differs from one first draft to the next.
struct PluginSketch {
  struct Field {
    var name: String
    var type: FieldType
    /// What gives its value: `item.title`.
    var expression: String
  }

  var summary: String
  var kind: String
  /// Fields of `fields`; empty for a key that the store makes.
  var key: [String]
  var fields: [Field]
  var indexes: [String]
  /// Lua conditions that all hold for a document of this plugin.
  var accepts: [String]
  /// Where the items are: `feed.body.data.list`; nil for a feed's entries and for a top-level list.
  var items: String?
  /// Whether that is an object whose values are the items.
  var isKeyed = false
  /// Statements of `map` before it returns its entity.
  var opening: [String] = []
  /// What is in the feed and was not mapped, for a comment.
  var unmapped: [String] = []
  /// Lists of objects inside of the items, for a comment.
  var innerLists: [InnerList] = []

  struct InnerList {
    /// What gives it: `item.topics`.
    var expression: String
    /// The names in its objects.
    var names: [String]
  }

  /// The text of `plugin.lua`.
  var text: String {
    var lines = ["--- @api 1", "--- @summary \(summary)", "local M = {}", ""]
    lines += kindLines + [""]
    lines += [
      "---Whether a document is this plugin's.", "---@param feed starling.Feed",
      "---@return boolean", "function M.accepts(feed)",
    ]
    lines += condition + ["end", ""]
    if let items {
      lines += [
        "---Where the items are.", "---@param feed starling.Feed", "---@return table",
        "function M.items(feed)",
      ]
      lines += isKeyed ? PluginSketch.pairs(of: items) : ["  return \(items)"]
      lines += ["end", ""]
    }
    lines += mapLines
    return (lines + ["", "return M", ""]).joined(separator: "\n")
  }

  private static func pairs(of items: String) -> [String] {
    [
      "  local list = {}", "  for id, value in pairs(\(items)) do",
      "    list[#list + 1] = { id = id, value = value }", "  end", "  return list",
    ]
  }

  private var kindLines: [String] {
    let key =
      switch self.key.count {
      case 0: "\"auto\""
      case 1: PluginSketch.quoted(self.key[0])
      default: "{ \(self.key.map(PluginSketch.quoted).joined(separator: ", ")) }"
      }
    var lines = [
      "-- What the plugin makes: what identifies one, and its fields, each text, integer, real,",
      "-- boolean, url, time, money or list. An index makes --where and --order quick.",
      "M.kinds = {", "  \(PluginSketch.place(kind)) = {", "    key = \(key),", "    fields = {",
    ]
    lines += PluginSketch.wrapped(
      fields.map { "\(PluginSketch.place($0.name)) = \"\($0.type.rawValue)\"," }, indent: 6)
    lines.append("    },")
    if !indexes.isEmpty {
      lines.append("    indexes = { \(indexes.map(PluginSketch.quoted).joined(separator: ", ")) },")
    }
    return lines + ["  },", "}"]
  }

  private var condition: [String] {
    guard let first = accepts.first else { return ["  return true"] }
    return ["  return " + first] + accepts.dropFirst().map { "    and " + $0 }
  }

  private var mapLines: [String] {
    var lines = [
      "---One item as an entity; or nil, and why it is left out.", "---@param item table",
      "---@param feed starling.Feed", "---@return table|nil", "---@return string|nil",
      "function M.map(item, feed)",
    ]
    lines += opening.map { "  " + $0 }
    lines += ["  return {", "    kind = \(PluginSketch.quoted(kind)),"]
    lines += fields.map { "    \(PluginSketch.place($0.name)) = \($0.expression)," }
    lines.append("  }")
    if !unmapped.isEmpty {
      lines += PluginSketch.wrapped(
        ["Also there:"] + unmapped.dropLast().map { $0 + "," } + unmapped.suffix(1),
        indent: 2, mark: "-- ")
    }
    for list in innerLists { lines += hint(list) }
    return lines + ["end"]
  }

  /// How the elements of a list inside of an item become entities of their own.
  private func hint(_ list: InnerList) -> [String] {
    let fields = list.names.prefix(4).map {
      "\(PluginSketch.place(PluginSketch.identifier($0, else: "field"))) = "
        + PluginSketch.member("one", $0)
    }
    let names = PluginSketch.wrapped(
      ["A", "list", "in", "each", "item:", list.expression + ",", "of"]
        + list.names.dropLast().map { $0 + "," } + ["\(list.names.last ?? "objects")."]
        + "To make an entity of each of its elements, return a list:".split(separator: " ").map(
          String.init), indent: 2, mark: "-- ")
    return names + [
      "  --   local found = {}",
      "  --   for _, one in ipairs(\(list.expression) or {}) do",
    ]
      + PluginSketch.wrapped(
        ["found[#found + 1] = { kind = \(PluginSketch.quoted(kind)),"]
          + fields.dropLast().map { $0 + "," } + fields.suffix(1) + ["}"],
        indent: 2, mark: "--     ") + ["  --   end", "  --   return found"]
  }

  /// A Lua string; all but printable ASCII and whole UTF-8 text is escaped.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\n": quoted += "\\n"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        quoted += "\\u{\(String(scalar.value, radix: 16))}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// `item.title`, or `item["media:thumbnail"]` where the name is no word of Lua.
  static func member(_ base: String, _ name: String) -> String {
    isName(name) ? base + "." + name : "\(base)[\(quoted(name))]"
  }

  /// A name before `=` in a table.
  private static func place(_ name: String) -> String {
    isName(name) ? name : "[\(quoted(name))]"
  }

  private static let keywords: Set = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return !keywords.contains(name)
      && name.utf8.allSatisfy {
        $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
          || (0x61...0x7A).contains($0)
      }
  }

  private static func wrapped(_ words: [String], indent: Int, mark: String = "") -> [String] {
    let start = String(repeating: " ", count: indent) + mark
    var lines: [String] = []
    var line = ""
    for word in words {
      if !line.isEmpty, start.count + line.count + 1 + word.count > 96 {
        lines.append(start + line)
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    return line.isEmpty ? lines : lines + [start + line]
  }
}

extension PluginSketch {
  /// A name of any sort as the name of a kind or field: `pubDate` is `pub_date`.
  static func identifier(_ name: String, else fallback: String) -> String {
    var word = ""
    var wasLower = false
    for scalar in name.unicodeScalars {
      let isUpper = (0x41...0x5A).contains(scalar.value)
      let isLetter = isUpper || (0x61...0x7A).contains(scalar.value)
      let isDigit = (0x30...0x39).contains(scalar.value)
      if isLetter || isDigit {
        if isUpper && wasLower { word += "_" }
        word += String(scalar).lowercased()
      } else if !word.isEmpty, !word.hasSuffix("_") {
        word += "_"
      }
      wasLower = !isUpper && (isLetter || isDigit)
    }
    while word.hasSuffix("_") { word.removeLast() }
    if let first = word.utf8.first, (0x30...0x39).contains(first) { word = fallback + "_" + word }
    if word.isEmpty { word = fallback }
    return StarlingModel.Field.reservedNames.contains(word) ? word + "_text" : word
  }
}
