import StarlingModel

/// JSON Feed (versions 1 and 1.1, jsonfeed.org) as items. Types are taken as loosely as publishers
/// take them: a number may be an id, one object an array.
struct JSONFeedReader {
  let document: JSONDocument
  /// Whether the document ended too early.
  let isCut: Bool
  let options: FeedOptions
  private(set) var header = FeedHeader()
  private(set) var damage = DamageLog()
  private var next: JSONDocument.Node?
  private var list: JSONDocument.Node?
  private var count = 0

  /// Whether a document is a JSON Feed: an object with a `version` of jsonfeed.org, or without one
  /// but with `items` and a feed's own members.
  static func accepts(_ document: JSONDocument) -> Bool {
    let root = document.root
    guard document.kind(root) == .object else { return false }
    if let version = document.member(root, "version"),
      document.string(version).contains("jsonfeed.org")
    {
      return true
    }
    guard let items = document.member(root, "items"),
      [.array, .object].contains(document.kind(items))
    else { return false }
    return document.member(root, "home_page_url") != nil
      || document.member(root, "feed_url") != nil
  }

  init(document: JSONDocument, isCut: Bool = false, options: FeedOptions) {
    self.document = document
    self.isCut = isCut
    self.options = options
    let root = document.root
    header.format = .jsonfeed
    header.url = options.url
    header.title = text(root, "title")
    header.link = url(root, "home_page_url")
    header.id = text(root, "feed_url")
    header.language = text(root, "language")
    header.image = url(root, "icon") ?? url(root, "favicon")
    header.site =
      (options.url ?? header.link).flatMap { URLReference.host($0) } ?? ""
    list = document.member(root, "items")
    next = list.flatMap { document.kind($0) == .array ? document.firstChild($0) : $0 }
  }

  /// Fills in the next item; false at the end.
  mutating func next(into item: inout Item) -> Bool {
    while let node = next, let list {
      next = node == list ? nil : document.nextSibling(node, in: list)
      guard document.kind(node) == .object else { continue }
      item.reset()
      count += 1
      item.place = count
      fill(&item, node)
      item.takeAddressFromId()
      // What would be made of half an item is not what the whole one will be called.
      if !isCut || next != nil || !item[.url].isEmpty { FeedBuilder.complete(&item) }
      return true
    }
    return false
  }

  /// The address of an item: its page, else the first of its files.
  private func address(_ node: JSONDocument.Node) -> String? {
    if let page = url(node, "url") ?? url(node, "external_url") { return page }
    for attachment in elements(node, "attachments") {
      if let file = url(attachment, "url") { return file }
    }
    return nil
  }

  private mutating func fill(_ item: inout Item, _ node: JSONDocument.Node) {
    set(&item, .id, document.member(node, "id").flatMap(id))
    set(&item, .title, text(node, "title").map(JSONFeedReader.escaped))
    set(&item, .url, address(node))
    set(&item, .summary, text(node, "summary").map(JSONFeedReader.escaped))
    let html = text(node, "content_html").map { absolutized($0) }
    set(&item, .content, html ?? text(node, "content_text").map(JSONFeedReader.escaped))
    set(&item, .image, url(node, "image") ?? url(node, "banner_image"))
    item.published = time(node, "date_published")
    item.updated = time(node, "date_modified")
    fillAuthors(&item, node)
    // An item without authors has those of its feed (JSON Feed 1.1, "authors").
    if item.authors.isEmpty { fillAuthors(&item, document.root) }
    for tag in elements(node, "tags") {
      if let word = text(tag) { item.categories.append(append(&item, word)) }
    }
    for attachment in elements(node, "attachments") { fillEnclosure(&item, attachment) }
    if let external = url(node, "external_url") {
      item.links.append(
        Item.Link(href: append(&item, external), rel: append(&item, "related"), type: 0..<0))
    }
  }

  private func fillAuthors(_ item: inout Item, _ node: JSONDocument.Node) {
    let authors = elements(node, "authors")
    for author in authors.isEmpty ? elements(node, "author") : authors {
      let name = document.kind(author) == .object ? text(author, "name") : text(author)
      let address = url(author, "url")
      guard name != nil || address != nil else { continue }
      item.authors.append(
        Item.Author(
          name: append(&item, name ?? ""), email: 0..<0, url: append(&item, address ?? "")))
    }
  }

  private func fillEnclosure(_ item: inout Item, _ node: JSONDocument.Node) {
    guard let address = url(node, "url") else { return }
    let length = document.member(node, "size_in_bytes").flatMap { size -> Int64? in
      switch document.kind(size) {
      case .integer: document.integer(size)
      case .real: Int64(exactly: document.real(size).rounded())
      case .string: Int64(document.string(size))
      default: nil
      }
    }
    item.enclosures.append(
      Item.Enclosure(
        url: append(&item, address), type: append(&item, text(node, "mime_type") ?? ""),
        length: length))
  }

  // MARK: Values

  private func elements(_ node: JSONDocument.Node, _ key: String) -> [JSONDocument.Node] {
    guard let value = document.member(node, key) else { return [] }
    guard document.kind(value) == .array else {
      return document.kind(value) == .null ? [] : [value]
    }
    return (0..<document.count(value)).compactMap { document.element(value, $0) }
  }

  private func text(_ node: JSONDocument.Node, _ key: String) -> String? {
    document.member(node, key).flatMap(text)
  }

  private func text(_ node: JSONDocument.Node) -> String? {
    switch document.kind(node) {
    case .string, .bigNumber:
      let text = document.string(node).trimmed
      return text.isEmpty ? nil : text
    case .integer: return String(document.integer(node))
    case .real:
      let number = document.real(node)
      return Int64(exactly: number).map { String($0) } ?? String(number)
    default: return nil
    }
  }

  /// An id: a number that is not whole is none.
  private func id(_ node: JSONDocument.Node) -> String? {
    if document.kind(node) == .real, Int64(exactly: document.real(node)) == nil { return nil }
    return text(node)
  }

  private func url(_ node: JSONDocument.Node, _ key: String) -> String? {
    guard let text = text(node, key) else { return nil }
    return options.url.flatMap { URLReference.join($0, text) } ?? URLReference(text).description
  }

  private mutating func time(_ node: JSONDocument.Node, _ key: String) -> Timestamp? {
    guard let text = text(node, key) else { return nil }
    let found = Timestamp.reading(text)
    if let found, !found.isZoneUnknown { return found.time }
    damage.note(
      found == nil ? .badDates : .unknownZones, at: 0, detail: String(text.prefix(60)), item: count)
    return found?.time
  }

  private func absolutized(_ html: String) -> String {
    guard let base = options.url,
      let changed = HTMLLinks.absolutize(Array(html.utf8)[...], base: base)
    else { return html }
    return String(decoding: changed, as: UTF8.self)
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C }) else { return text }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  private func set(_ item: inout Item, _ field: Item.Field, _ text: String?) {
    if let text { item[field] = append(&item, text) }
  }

  private func append(_ item: inout Item, _ text: String) -> Range<Int> {
    let start = item.bytes.count
    item.bytes.append(contentsOf: text.utf8)
    return start..<item.bytes.count
  }
}
