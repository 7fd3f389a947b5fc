import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let list = Command(
    spec: CommandSpec(
      "list", operands: "[KIND]",
      summary: "List favorites, or with --all everything seen",
      details:
        "--where takes the words of the rules: --where 'price = below \"20万\", energy = is \"EV\"'. "
        + "--order takes a field, with - before it for descending. --format takes fields in "
        + "braces, and \\t and \\n: '{title}\\t{url}'.",
      options: queryOptions + [
        OptionSpec("--format", value: "TEXT", help: "print each entity so")
      ],
      maximumOperands: 1)
  ) { context throws(ToolError) in
    try Listing(context).run()
  }

  static let search = Command(
    spec: CommandSpec(
      "search", operands: "TEXT", summary: "List what has all words of a text, the best first",
      details:
        "Texts and lists are searched; case, width and accents do not count. Of Chinese, Japanese, "
        + "Korean and Thai any characters are found, of other scripts whole words; word* finds "
        + "what begins so, \"two words\" and wi-fi those side by side; commas and the like part "
        + "words. With --json each line has "
        + "`matches`: the field, in a list the item, and from which character (0 is the first) "
        + "up to which.",
      options: [OptionSpec("--kind", value: "KIND", help: "of this kind only")] + queryOptions,
      minimumOperands: 1, maximumOperands: nil)
  ) { context throws(ToolError) in
    try Listing(context, text: context.arguments.operands.joined(separator: " ")).run()
  }

  private static let queryOptions = [
    OptionSpec("--all", help: "everything that feeds had, not favorites alone"),
    OptionSpec("--where", value: "CONDITIONS", help: "only what these hold for"),
    OptionSpec("--tag", value: "TAG", help: "only favorites with this tag"),
    OptionSpec("--order", value: "FIELD", help: "in this order (default: newest star first)"),
    OptionSpec("--limit", value: "N", help: "at most N of each kind"),
  ]
}

/// One run of `list` or `search`.
private struct Listing {
  let context: CommandContext
  let text: String?

  init(_ context: CommandContext, text: String? = nil) {
    self.context = context
    self.text = text
  }

  private var kindName: String? {
    text == nil ? context.arguments.operand(0) : context.arguments.value("--kind")
  }

  func run() throws(ToolError) -> ExitCode {
    let store = try context.store(forOptional: kindName)
    let named = try kindName.map { name throws(ToolError) in try context.kind(name, in: store) }
    let kinds = named.map { [$0] } ?? store.kinds
    let condition = try condition()
    _ = try context.arguments.number("--limit")
    try checkFields(condition, kinds)
    let format = try context.arguments.value("--format").map { text throws(ToolError) in
      try LineFormat(text, fields: Set(kinds.flatMap { $0.fields.map(\.name) }))
    }
    if let text, WordSearch(text).isEmpty {
      context.io.report("search", "there is no word in this text, so nothing is found")
    }
    var isFirst = true
    for kind in kinds {
      if kindName == nil, !fits(condition, kind) { continue }
      try write(kind, condition, store, format, isFirst: &isFirst)
      if context.io.out.isClosed { break }
    }
    return .done
  }

  private func condition() throws(ToolError) -> Condition {
    guard let text = context.arguments.value("--where") else { return .all([]) }
    return try hosted { () throws(HostError) in try context.host.condition(parsing: text) }
  }

  /// Without a kind, conditions and orders choose the kinds that have their fields; a field that no
  /// kind has is an error all the same.
  private func checkFields(_ condition: Condition, _ kinds: [Kind]) throws(ToolError) {
    guard kindName == nil else { return }
    for field in condition.fields + orderFields
    where !kinds.contains(where: { $0.index(of: field) != nil }) && !kinds.isEmpty {
      let names = Set(kinds.flatMap { $0.fields.map(\.name) })
      let hint = Spelling.nearest(to: field, among: names).map { "; did you mean \($0)?" } ?? ""
      throw ToolError("field \(field)", "no kind has it\(hint)")
    }
  }

  private func fits(_ condition: Condition, _ kind: Kind) -> Bool {
    (condition.fields + orderFields).allSatisfy { kind.index(of: $0) != nil }
  }

  private var orderFields: [String] {
    guard let text = context.arguments.value("--order"),
      case .field(let name, _) = Query.Order(parsing: text)
    else { return [] }
    return [name]
  }

  private func query(_ kind: Kind, _ condition: Condition) throws(ToolError) -> Query {
    var query = Query(kind: kind.name)
    query.scope = context.arguments.has("--all") ? .everything : .favorites
    query.condition = condition
    query.order = context.arguments.value("--order").map { Query.Order(parsing: $0) }
    query.limit = try context.arguments.number("--limit")
    query.tag = context.arguments.value("--tag")
    query.text = text
    return query
  }

  private func write(
    _ kind: Kind, _ condition: Condition, _ store: FavoritesStore,
    _ format: LineFormat?, isFirst: inout Bool
  ) throws(ToolError) {
    let query = try query(kind, condition)
    let writer = RowsWriter.make(context, kind, format, search: text.map { WordSearch($0) })
    try stored { () throws(FavoritesError) in
      try context.writeRows(query, of: store) { row throws(FavoritesError) in
        if writer.isEmpty { writer.begin(title: kindName == nil, isFirst: isFirst) }
        try writer.write(row)
      }
    }
    writer.finish()
    if !writer.isEmpty { isFirst = false }
  }
}

extension Condition {
  /// The fields that it names, without duplicates.
  var fields: [String] {
    switch self {
    case .test(let field, _): [field]
    case .not(let condition): condition.fields
    case .all(let conditions), .any(let conditions):
      conditions.flatMap(\.fields).reduce(into: []) { list, field in
        if !list.contains(field) { list.append(field) }
      }
    }
  }
}
