import StarlingFeeds
import StarlingModel

/// A first mapping for a JSON document that nobody has described.
struct JSONDraft {
  let document: JSONDocument
  /// The names that lead from the root to the list of items.
  let path: [String]
  let list: JSONDocument.Node
  /// Whether the list is an object: each of its values is an item, and its name the item's key.
  let isKeyed: Bool
  /// The first items.
  private let items: [JSONDocument.Node]

  /// Items that are looked at.
  static let sampleCount = 200
  private static let mostFields = 24

  /// The longest list of objects in a document, the nearest to its root among equals, or the longest
  /// object of objects that are alike; nil when there is none.
  init?(_ document: JSONDocument) {
    self.document = document
    typealias Place = (path: [String], node: JSONDocument.Node, count: Int)
    var best: Place?
    var keyed: Place?
    var level: [(path: [String], node: JSONDocument.Node)] = [([], document.root)]
    for _ in 0..<6 {
      var next: [(path: [String], node: JSONDocument.Node)] = []
      for (path, node) in level {
        let count = JSONDraft.objects(in: node, document)
        if count > best?.count ?? 0 { best = (path, node, count) }
        let alike = JSONDraft.alikeValues(of: node, document)
        if alike > keyed?.count ?? 1 { keyed = (path, node, alike) }
        document.forEachMember(of: node) { name, value in next.append((path + [name], value)) }
      }
      level = next
    }
    // A list inside of one of the values is that value's.
    let isInside = best.map { $0.path.starts(with: keyed?.path ?? ["\u{0}"]) } ?? true
    isKeyed = keyed.map { isInside || $0.count > best?.count ?? 0 } ?? false
    guard let found = isKeyed ? keyed : best else { return nil }
    path = found.path
    list = found.node
    items = JSONDraft.items(of: found.node, document)
  }

  private static func items(
    of node: JSONDocument.Node, _ document: JSONDocument
  ) -> [JSONDocument.Node] {
    var items: [JSONDocument.Node] = []
    func take(_ value: JSONDocument.Node) {
      if document.kind(value) == .object, items.count < sampleCount { items.append(value) }
    }
    document.forEachElement(of: node, take)
    document.forEachMember(of: node) { _, value in take(value) }
    return items
  }

  /// How many values an object has, when all are objects with a name in common.
  private static func alikeValues(of node: JSONDocument.Node, _ document: JSONDocument) -> Int {
    guard document.kind(node) == .object else { return 0 }
    var common: Set<String>?
    var count = 0
    document.forEachMember(of: node) { _, value in
      var names: Set<String> = []
      if document.kind(value) == .object {
        document.forEachMember(of: value) { name, _ in names.insert(name) }
      }
      common = common.map { $0.intersection(names) } ?? names
      count += 1
    }
    return common?.isEmpty == false ? count : 0
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
    let wrapper = isKeyed ? nil : self.wrapper
    let base = wrapper == nil && !isKeyed ? "item" : "entry"
    let (guesses, order) = guesses(below: wrapper)
    var sketch = PluginSketch(
      summary: summary, kind: kind, key: [], fields: [], indexes: [],
      accepts: conditions(site),
      items: path.isEmpty && !isKeyed ? nil : members("feed.body", path), isKeyed: isKeyed)
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
    if isKeyed {
      setOuterKey(&sketch)
    } else {
      setKey(&sketch, guesses, order, names, base)
    }
    let time = sketch.fields.first { $0.type == .time }
    if let time { sketch.indexes = [time.name] }
    return sketch
  }

  /// The member that holds nearly all of an item, as in `{"kind":"t3","data":{...}}`.
  private var wrapper: String? {
    guard let first = items.first, document.count(first) <= 3 else { return nil }
    var name: String?
    document.forEachMember(of: first) { member, value in
      if document.kind(value) == .object, document.count(value) > 3 { name = member }
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
    for element in items {
      var item = element
      if let wrapper {
        guard let inner = document.member(element, wrapper) else { continue }
        item = inner
      }
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
    for element in items {
      guard let item = (wrapper.map { document.member(element, $0) } ?? element) else { continue }
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

  /// The name under which an item stands, as a field of its own.
  private func setOuterKey(_ sketch: inout PluginSketch) {
    let name = sketch.fields.contains { $0.name == "id" } ? "item_id" : "id"
    sketch.fields.removeAll { $0.name == name }
    sketch.fields.insert(.init(name: name, type: .text, expression: "item.id"), at: 0)
    sketch.key = [name]
    sketch.opening.append("local entry = item.value")
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
      let first = isKeyed ? "select(2, next(\(base)))" : base + "[1]"
      if isKeyed { lines.append("\(base)[1] == nil") }
      lines.append("type(\(first)) == \"table\"")
      for name in commonNames.prefix(3) {
        lines.append(PluginSketch.member(first, name) + " ~= nil")
      }
    }
    return lines
  }

  /// The members that are null in none of the items, in the order of the first: the next page begins
  /// with any of them.
  private var commonNames: [String] {
    guard let first = items.first else { return [] }
    var names: [String] = []
    document.forEachMember(of: first) { name, value in
      if document.kind(value) != .null { names.append(name) }
    }
    for item in items.dropFirst() {
      names.removeAll { name in
        document.member(item, name).map { document.kind($0) == .null } ?? true
      }
    }
    return names
  }
}
