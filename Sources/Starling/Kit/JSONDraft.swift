import StarlingFeeds
import StarlingModel

/// A first mapping for a JSON document that nobody has described.
struct JSONDraft {
  let document: JSONDocument
  /// The names that lead from the root to the list of items.
  let path: [String]
  let list: JSONDocument.Node

  /// Items that are looked at.
  static let sampleCount = 200
  private static let mostFields = 24

  /// The longest list of objects in a document, the nearest to its root among equals; nil when there
  /// is none.
  init?(_ document: JSONDocument) {
    self.document = document
    var best: (path: [String], node: JSONDocument.Node, count: Int)?
    var level: [(path: [String], node: JSONDocument.Node)] = [([], document.root)]
    for _ in 0..<6 {
      var next: [(path: [String], node: JSONDocument.Node)] = []
      for (path, node) in level {
        let count = JSONDraft.objects(in: node, document)
        if count > best?.count ?? 0 { best = (path, node, count) }
        document.forEachMember(of: node) { name, value in next.append((path + [name], value)) }
      }
      level = next
    }
    guard let best else { return nil }
    path = best.path
    list = best.node
  }

  private static func objects(in node: JSONDocument.Node, _ document: JSONDocument) -> Int {
    var count = 0
    document.forEachElement(of: node) { if document.kind($0) == .object { count += 1 } }
    return count
  }

  /// The document with at most so many items, for a fixture.
  func cut(to count: Int) -> [UInt8] {
    CompactJSON.text(of: document, limiting: list, to: count)
  }

  func sketch(kind: String, summary: String, site: String) -> PluginSketch {
    let wrapper = self.wrapper
    let base = wrapper == nil ? "item" : "entry"
    let (guesses, order) = guesses(below: wrapper)
    var sketch = PluginSketch(
      summary: summary, kind: kind, key: [], fields: [], indexes: [],
      accepts: conditions(site), items: path.isEmpty ? nil : members("feed.body", path))
    if let wrapper {
      sketch.opening.append(
        "local entry = \(PluginSketch.member("item", wrapper))")
      sketch.opening.append("if not entry then return nil, \"no \(wrapper)\" end")
    }
    var names: [String: String] = [:]
    for place in order {
      guard let guess = guesses[place] else { continue }
      let raw = expression(base, place)
      guard let (type, expression) = guess.field(raw), sketch.fields.count < JSONDraft.mostFields
      else {
        sketch.unmapped.append(place.joined(separator: "."))
        continue
      }
      var name = PluginSketch.identifier(place.joined(separator: "_"), else: "field")
      while sketch.fields.contains(where: { $0.name == name }) { name += "_2" }
      names[place.joined(separator: "\u{0}")] = name
      sketch.fields.append(.init(name: name, type: type, expression: expression))
    }
    sketch.innerLists = innerLists(below: wrapper, base)
    sketch.unmapped.removeAll { name in
      sketch.innerLists.contains { $0.expression == PluginSketch.member(base, name) }
    }
    setKey(&sketch, guesses, order, names, base)
    let time = sketch.fields.first { $0.type == .time }
    if let time { sketch.indexes = [time.name] }
    return sketch
  }

  /// The member that holds nearly all of an item, as in `{"kind":"t3","data":{...}}`.
  private var wrapper: String? {
    var name: String?
    var isFirst = true
    document.forEachElement(of: list) { element in
      guard isFirst, document.kind(element) == .object else { return }
      isFirst = false
      guard document.count(element) <= 3 else { return }
      document.forEachMember(of: element) { member, value in
        if document.kind(value) == .object, document.count(value) > 3 { name = member }
      }
    }
    return name
  }

  private func guesses(
    below wrapper: String?
  ) -> (guesses: [[String]: ValueGuess], order: [[String]]) {
    var guesses: [[String]: ValueGuess] = [:]
    var order: [[String]] = []
    func note(_ path: [String], _ value: JSONDocument.Node) {
      if guesses[path] == nil {
        guesses[path] = ValueGuess(name: path.last ?? "")
        order.append(path)
      }
      guesses[path]?.note(value, of: document)
    }
    var count = 0
    document.forEachElement(of: list) { element in
      var item = element
      if let wrapper {
        guard let inner = document.member(element, wrapper) else { return }
        item = inner
      }
      guard document.kind(item) == .object, count < JSONDraft.sampleCount else { return }
      count += 1
      document.forEachMember(of: item) { name, value in
        guard document.kind(value) == .object else { return note([name], value) }
        document.forEachMember(of: value) { inner, value in note([name, inner], value) }
      }
    }
    return (guesses, order)
  }

  /// Inner lists that are shown, and names of each.
  private static let mostInner = (lists: 2, names: 8)

  /// The lists of objects that are members of the items.
  private func innerLists(below wrapper: String?, _ base: String) -> [PluginSketch.InnerList] {
    var lists: [PluginSketch.InnerList] = []
    var looked = 0
    document.forEachElement(of: list) { element in
      let item = wrapper.map { document.member(element, $0) } ?? element
      guard let item, document.kind(item) == .object, looked < JSONDraft.sampleCount else { return }
      looked += 1
      document.forEachMember(of: item) { name, value in
        let expression = PluginSketch.member(base, name)
        guard lists.count < JSONDraft.mostInner.lists,
          !lists.contains(where: { $0.expression == expression }),
          let first = document.firstChild(value), document.kind(value) == .array,
          document.kind(first) == .object
        else { return }
        var names: [String] = []
        document.forEachMember(of: first) { name, _ in names.append(name) }
        lists.append(
          .init(expression: expression, names: Array(names.prefix(JSONDraft.mostInner.names))))
      }
    }
    return lists
  }

  /// `item.id`; of a nested value `item.author and item.author.name`.
  private func expression(_ base: String, _ path: [String]) -> String {
    let first = PluginSketch.member(base, path.first ?? "")
    guard path.count > 1, let last = path.last else { return first }
    return first + " and " + PluginSketch.member(first, last)
  }

  private func members(_ base: String, _ path: [String]) -> String {
    path.reduce(base, PluginSketch.member)
  }

  /// The field that every item has with a value of its own: one that says so by its name, else an
  /// address.
  private func setKey(
    _ sketch: inout PluginSketch, _ guesses: [[String]: ValueGuess], _ order: [[String]],
    _ names: [String: String], _ base: String
  ) {
    let whole = order.compactMap { guesses[$0]?.count }.max() ?? 0
    let able = order.filter { path in
      guard let guess = guesses[path], path.count == 1, guess.isUnique, guess.count == whole
      else { return false }
      return true
    }
    func field(_ path: [String]) -> PluginSketch.Field? {
      let name = names[path.joined(separator: "\u{0}")]
      return sketch.fields.first { $0.name == name }
    }
    let keys = able.filter { [.text, .url].contains(field($0)?.type) }
    let path =
      keys.first { $0 == ["id"] } ?? keys.first { guesses[$0]?.isIdentity == true }
      ?? keys.first { field($0)?.type == .url }
    guard let path, let key = field(path) else { return }
    sketch.key = [key.name]
    let raw = expression(base, path)
    sketch.opening.append("if not \(raw) then return nil, \"no \(path[0])\" end")
  }

  /// What a document of this shape has: its site, the tables on the way, a list of objects.
  private func conditions(_ site: String) -> [String] {
    var lines = ["feed.format == \"json\""]
    if !site.isEmpty { lines.append("feed.site == \(PluginSketch.quoted(site))") }
    var base = "feed.body"
    lines.append("type(\(base)) == \"table\"")
    for name in path {
      base = PluginSketch.member(base, name)
      lines.append("type(\(base)) == \"table\"")
    }
    if site.isEmpty {
      lines.append("type(\(base)[1]) == \"table\"")
      for name in commonNames.prefix(3) {
        lines.append(PluginSketch.member("\(base)[1]", name) + " ~= nil")
      }
    }
    return lines
  }

  /// The members that are null in none of the items, in the order of the first: the next page begins
  /// with any of them.
  private var commonNames: [String] {
    guard let first = document.firstChild(list) else { return [] }
    var names: [String] = []
    document.forEachMember(of: first) { name, value in
      if document.kind(value) != .null { names.append(name) }
    }
    var next = document.nextSibling(first, in: list)
    var looked = 1
    while let item = next, looked < JSONDraft.sampleCount, document.kind(item) == .object {
      names.removeAll { name in
        document.member(item, name).map { document.kind($0) == .null } ?? true
      }
      looked += 1
      next = document.nextSibling(item, in: list)
    }
    return names
  }
}
