import StarlingFeeds
import StarlingModel

/// A first mapping for a feed of entries: RSS, Atom, RDF or JSON Feed.
struct EntryDraft {
  private let header: FeedHeader
  private var count = 0
  private var texts: [Item.Field: Int] = [:]
  private var ids = Set<[UInt8]>()
  private var hasAuthor = false
  private var hasCategories = false
  private var hasTime = false
  private var hasEnclosure = false
  private var elements: [String: ElementGuess] = [:]
  private var order: [String] = []

  private struct ElementGuess {
    var text: ValueGuess
    /// The attribute that has the address, of an element without text.
    var address: String?
    var isNested = false
  }

  init(header: FeedHeader, items: [Item]) {
    self.header = header
    for item in items { note(item) }
  }

  private mutating func note(_ item: Item) {
    count += 1
    for field in Item.Field.allCases where item.string(field) != nil {
      texts[field, default: 0] += 1
    }
    if let id = item.string(.id) { ids.insert(Array(id.utf8)) }
    hasAuthor = hasAuthor || !item.authors.isEmpty
    hasCategories = hasCategories || !item.categories.isEmpty
    hasTime = hasTime || item.published != nil || item.updated != nil
    hasEnclosure = hasEnclosure || !item.enclosures.isEmpty
    var index = 0
    while index < item.elements.count {
      note(item.elements[index], at: index, of: item)
      index = max(index + 1, item.elements[index].end)
    }
  }

  private mutating func note(_ element: Item.Element, at index: Int, of item: Item) {
    let name = item.string(element.name)
    if elements[name] == nil {
      elements[name] = ElementGuess(text: ValueGuess(name: name, isMarkup: true))
      order.append(name)
    }
    let attributes = item.attributes[element.attributes].map { item.string($0.name) }
    if let address = attributes.first(where: { ["url", "href", "src"].contains($0) }) {
      elements[name]?.address = address
    } else if !attributes.isEmpty || element.end > index + 1 {
      elements[name]?.isNested = true
    }
    let text = item.string(element.text)
    if text.utf8.contains(where: { $0 > 0x20 }) { elements[name]?.text.note(text) }
  }

  func sketch(kind: String, summary: String) -> PluginSketch {
    var sketch = PluginSketch(
      summary: summary, kind: kind, key: [], fields: [], indexes: [], accepts: conditions)
    func add(_ name: String, _ type: FieldType, _ expression: String) {
      sketch.fields.append(.init(name: name, type: type, expression: expression))
    }
    if has(.id) { add("id", .text, "item.id") }
    if has(.title) { add("title", .text, "text.plain(item.title)") }
    if has(.url) { add("url", .url, "address") }
    if has(.summary) || has(.content) {
      add("summary", .text, "text.plain(item.summary or item.content)")
    }
    if hasAuthor { add("author", .text, "item.author") }
    if hasCategories { add("categories", .list, "item.categories") }
    if has(.image) { add("image", .url, "item.image") }
    if has(.comments) { add("comments", .url, "item.comments") }
    if hasEnclosure {
      add("enclosure", .url, "item.enclosures and item.enclosures[1] and item.enclosures[1].url")
    }
    if hasTime { add("published", .time, "item.published or item.updated") }
    addElements(to: &sketch)
    if has(.url) {
      sketch.opening.append(
        "local address = url.canonical(url.join(feed.link or feed.url, item.url)) or item.url")
    }
    let hasOwnIds = texts[.id] == count && ids.count == count
    if hasOwnIds || !has(.url), has(.id) {
      sketch.key = ["id"]
      sketch.opening.append("if not item.id then return nil, \"no id\" end")
    } else if has(.url) {
      sketch.key = ["url"]
      sketch.opening.append("if not address then return nil, \"no link\" end")
    }
    if hasTime { sketch.indexes = ["published"] }
    return sketch
  }

  private func has(_ field: Item.Field) -> Bool { texts[field] != nil }

  /// Elements whose content the item's own fields have.
  private static let known: Set = ["dc:creator", "dc:date", "dc:subject", "content:encoded"]

  private func addElements(to sketch: inout PluginSketch) {
    for name in order where !EntryDraft.known.contains(name) {
      guard let guess = elements[name] else { continue }
      let member = PluginSketch.member("item", name)
      let field = PluginSketch.identifier(name, else: "field")
      let isNew = !sketch.fields.contains { $0.name == field }
      if let address = guess.address, guess.text.count == 0, isNew {
        sketch.fields.append(
          .init(
            name: field, type: .url,
            expression: "\(member) and \(PluginSketch.member(member, address))"))
      } else if guess.address == nil, !guess.isNested, isNew,
        let (type, expression) = guess.text.field(member)
      {
        sketch.fields.append(.init(name: field, type: type, expression: expression))
      } else {
        sketch.unmapped.append(member)
      }
    }
  }

  private var conditions: [String] {
    var lines = ["feed.format == \"\(header.format?.rawValue ?? "rss")\""]
    if !header.site.isEmpty {
      lines.append("feed.site == \(PluginSketch.quoted(header.site))")
    } else if let title = header.title {
      lines.append("feed.title == \(PluginSketch.quoted(title))")
    }
    return lines
  }
}
