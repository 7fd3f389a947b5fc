import StarlingLua
import StarlingModel

/// What can stand at the cursor.
package struct Completion: Equatable, Sendable {
  /// How many bytes before the cursor are begun already.
  package var prefixBytes: Int
  /// Whole names, in the order in which they are shown.
  package var names: [String]

  package init(prefixBytes: Int, names: [String]) {
    self.prefixBytes = prefixBytes
    self.names = names
  }
}

/// Finds what can stand at the cursor. It looks at tables raw, so that no metamethod runs and
/// nothing is raised; what it cannot tell it leaves out.
struct Completer {
  let state: LuaState
  /// What the host has, with the app's own functions.
  let surface: ApiSurface
  /// Asked only where a kind or its fields can stand.
  let kinds: () -> [Kind]
  /// Asked only where a tag can stand.
  let tags: () -> [String]

  /// The most names that are looked at in one table.
  private static let mostKeys = 100_000

  /// - Parameter text: the Lua text before the cursor.
  func complete(_ text: String) -> Completion {
    let place = CompletionPlace(text)
    let names = candidates(at: place).filter { $0.hasPrefix(place.prefix) }
    return Completion(prefixBytes: place.prefix.utf8.count, names: names)
  }

  private func candidates(at place: CompletionPlace) -> [String] {
    if place.isClosed { return [] }
    if let path = place.path { return members(of: path) }
    if place.isInText { return texts(at: place) }
    if let condition = condition(at: place) { return condition }
    if let options = options(at: place) { return options }
    if let fields = fieldsOfArgument(at: place) { return fields }
    return globals()
  }

  // MARK: Texts

  private func texts(at place: CompletionPlace) -> [String] {
    guard let frame = place.frames.last else { return [] }
    if let callee = frame.callee {
      if callee == "help" { return ApiHelp.names(in: surface) + kinds().map(\.name) }
      if callee == "favorites.on", frame.commas == 0 { return ChangeFunctions.eventNames }
      switch parameter(of: callee, frame.commas)?.name {
      case "kind": return kinds().map(\.name)
      case "tags": return tags()
      default: return []
      }
    }
    if frame.name == "tags", frame.field == nil { return tags() }
    switch frame.field {
    case "kind": return kinds().map(\.name)
    case "order":
      guard let kind = kind(at: place) else { return [] }
      let names = kind.fields.map(\.name) + ["starred_at", "first_seen"]
      return names + names.map { "-" + $0 }
    case "tag": return tags()
    default: return []
    }
  }

  // MARK: Tables of options

  /// Inside `where = { }` of a function that takes queries: the fields of the kind and the words.
  private func condition(at place: CompletionPlace) -> [String]? {
    guard let index = place.frames.lastIndex(where: { $0.form == .table && $0.name == "where" }),
      index > 1, place.frames[index - 1].form == .table, isQuery(index - 1, place)
    else { return nil }
    let words = RuleWords.conditionNames.sorted()
    guard isFieldWanted(place) else {
      // What a person has of their own can be a value too.
      return place.prefix.isEmpty ? words : words + globals().filter { !words.contains($0) }
    }
    let fields = kind(at: place)?.fields.map(\.name) ?? []
    return fields + words
  }

  /// Whether a field's name can stand at the cursor, in a table of conditions or in one that `any`,
  /// `all` or `not_` joins; not where a value is written, as in `has { `.
  private func isFieldWanted(_ place: CompletionPlace) -> Bool {
    guard let frame = place.frames.last, frame.form == .table, frame.field == nil else {
      return false
    }
    guard let callee = place.frames.dropLast().last?.callee else { return true }
    return ["any", "all", "not_"].contains(callee)
  }

  /// Whether the table of a frame is what a function takes as its query.
  private func isQuery(_ index: Int, _ place: CompletionPlace) -> Bool {
    let call = place.frames[index - 1]
    guard let callee = call.callee else { return false }
    return parameter(of: callee, call.commas)?.type == .shape("starling.Query")
  }

  /// Directly inside the table of a function's options: their names.
  private func options(at place: CompletionPlace) -> [String]? {
    guard let frame = place.frames.last, frame.form == .table, frame.field == nil,
      place.frames.count >= 2,
      let callee = place.frames[place.frames.count - 2].callee,
      case .shape(let name) = parameter(of: callee, place.frames[place.frames.count - 2].commas)?
        .type
    else { return nil }
    return surface.shapes.first { $0.name == name }?.fields.map(\.name)
  }

  /// Directly inside the table that is an argument after a kind: an entity, or what makes its key.
  private func fieldsOfArgument(at place: CompletionPlace) -> [String]? {
    guard let frame = place.frames.last, frame.form == .table, frame.field == nil,
      let call = place.frames.dropLast().last, let callee = call.callee, call.commas > 0,
      parameter(of: callee, 0)?.name == "kind", let kind = kind(at: place)
    else { return nil }
    return kind.fields.map(\.name)
  }

  /// The kind that the call around the cursor names.
  private func kind(at place: CompletionPlace) -> Kind? {
    let name = place.frames.last { $0.firstText != nil && $0.callee?.contains(".") == true }?
      .firstText
    return kinds().first { $0.name == name }
  }

  private func parameter(of function: String, _ index: Int) -> ApiParameter? {
    guard let function = surface.functions.first(where: { $0.name == function }),
      function.contexts.contains(.script), let last = function.parameters.last
    else { return nil }
    if function.parameters.indices.contains(index) { return function.parameters[index] }
    return last.isVariadic ? last : nil
  }

  // MARK: Names

  private func globals() -> [String] {
    let found = try? state.readGlobal("") { globals in names(in: globals) }
    return ((found ?? []) + CompletionPlace.keywords).sorted()
  }

  private func members(of path: [CompletionPlace.Step]) -> [String] {
    (try? state.readGlobal("") { globals in members(of: path[...], in: globals) }) ?? []
  }

  private func members(of path: ArraySlice<CompletionPlace.Step>, in view: LuaView) -> [String] {
    guard let step = path.first else { return memberNames(of: view) }
    guard view.type == .table else { return [] }
    let found: [String]?
    switch step {
    case .name(let name):
      found = try? view.field(named: name) { members(of: path.dropFirst(), in: $0) }
    case .index(let index):
      found = try? view.element(index) { members(of: path.dropFirst(), in: $0) }
    }
    return found ?? []
  }

  private func memberNames(of view: LuaView) -> [String] {
    switch view.type {
    case .table: return names(in: view).sorted()
    case .string:
      return (try? state.readGlobal("string") { names(in: $0).sorted() }) ?? []
    default: return []
    }
  }

  /// The names in a table that can stand after a dot.
  private func names(in table: LuaView) -> [String] {
    var names: [String] = []
    var count = 0
    try? table.forEachField { key, _ throws(LuaError) in
      count += 1
      guard count < Self.mostKeys else { throw .interrupted(.request) }
      guard names.count < 2_000, key.type == .string, let name = try? key.string() else { return }
      if Self.isName(name) { names.append(name) }
    }
    return names
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first < 0x30 || first > 0x39 else { return false }
    return text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
          || byte == 0x5F
      }
  }
}

extension ConsoleSession {
  /// What can stand after the text before the cursor.
  package func complete(_ text: String) -> Completion {
    Completer(
      state: session.state, surface: host.surface, kinds: { self.kinds },
      tags: { (try? self.store().tagNames(limit: 500)) ?? [] }
    ).complete(text)
  }
}
