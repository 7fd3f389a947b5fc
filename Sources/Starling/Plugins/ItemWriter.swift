package import StarlingFeeds
package import StarlingLua
import StarlingModel

/// Makes the item table that a plugin's `map` gets, straight from the decoder's bytes.
package struct ItemWriter {
  private let texts: [(field: Item.Field, key: LuaKey)]
  private let author: LuaKey
  private let authors: LuaKey
  private let categories: LuaKey
  private let published: LuaKey
  private let updated: LuaKey
  private let enclosures: LuaKey
  private let links: LuaKey
  private let elements: LuaKey
  private let attributes: LuaKey
  private let url: LuaKey
  private let type: LuaKey
  private let length: LuaKey
  private let href: LuaKey
  private let rel: LuaKey
  private let name: LuaKey
  private let text: LuaKey
  private let permalink: LuaKey
  /// What an element without attributes or children has in their place: one table for all, which
  /// nobody can write to.
  private let empty: LuaTable

  package init(state: LuaState) throws(LuaError) {
    empty = try ItemWriter.makeEmpty(in: state)
    texts = [
      (.id, state.key("id")), (.title, state.key("title")), (.url, state.key("url")),
      (.summary, state.key("summary")), (.content, state.key("content")),
      (.comments, state.key("comments")), (.image, state.key("image")),
    ]
    author = state.key("author")
    authors = state.key("authors")
    categories = state.key("categories")
    published = state.key("published")
    updated = state.key("updated")
    enclosures = state.key("enclosures")
    links = state.key("links")
    elements = state.key("elements")
    attributes = state.key("attributes")
    url = state.key("url")
    type = state.key("type")
    length = state.key("length")
    href = state.key("href")
    rel = state.key("rel")
    name = state.key("name")
    text = state.key("text")
    permalink = state.key("permalink")
  }

  private static func makeEmpty(in state: LuaState) throws(LuaError) -> LuaTable {
    try state.seal(try state.makeTable { _ in }, as: "item.elements")
  }

  package func push(_ item: borrowing Item, to writer: inout LuaWriter) throws(LuaError) {
    try writer.table(fields: 12) { table throws(LuaError) in
      for (field, key) in texts { set(key, item[field], of: item, in: &table) }
      if let time = item.published { table.set(published, time.secondsSinceEpoch) }
      if let time = item.updated { table.set(updated, time.secondsSinceEpoch) }
      if let flag = item.isPermaLink { table.set(permalink, flag) }
      try setPeople(of: item, in: &table)
      try setList(categories, item.categories, of: item, in: &table)
      try setEnclosures(of: item, in: &table)
      try setLinks(of: item, in: &table)
      try setElements(of: item, in: &table)
    }
  }

  private func set(
    _ key: LuaKey, _ range: Range<Int>, of item: borrowing Item, in table: inout LuaTableWriter
  ) {
    if range.isEmpty { return }
    unsafe item.withBytes(range) { bytes in unsafe table.set(key, bytes) }
  }

  private func setPeople(
    of item: borrowing Item, in table: inout LuaTableWriter
  ) throws(LuaError) {
    guard let first = item.authors.first else { return }
    set(author, first.name, of: item, in: &table)
    try table.set(authors) { writer throws(LuaError) in
      try writer.array(count: item.authors.count) { list in
        for author in item.authors where !author.name.isEmpty {
          unsafe item.withBytes(author.name) { bytes in unsafe list.append(bytes) }
        }
      }
    }
  }

  private func setList(
    _ key: LuaKey, _ ranges: [Range<Int>], of item: borrowing Item, in table: inout LuaTableWriter
  ) throws(LuaError) {
    if ranges.isEmpty { return }
    try table.set(key) { writer throws(LuaError) in
      try writer.array(count: ranges.count) { list in
        for range in ranges where !range.isEmpty {
          unsafe item.withBytes(range) { bytes in unsafe list.append(bytes) }
        }
      }
    }
  }

  private func setEnclosures(
    of item: borrowing Item, in table: inout LuaTableWriter
  ) throws(LuaError) {
    if item.enclosures.isEmpty { return }
    try table.set(enclosures) { writer throws(LuaError) in
      try writer.array(count: item.enclosures.count) { list throws(LuaError) in
        for enclosure in item.enclosures {
          try list.append { writer throws(LuaError) in
            try writer.table(fields: 3) { entry in
              set(url, enclosure.url, of: item, in: &entry)
              set(type, enclosure.type, of: item, in: &entry)
              if let bytes = enclosure.length { entry.set(length, bytes) }
            }
          }
        }
      }
    }
  }

  private func setLinks(of item: borrowing Item, in table: inout LuaTableWriter) throws(LuaError) {
    if item.links.isEmpty { return }
    try table.set(links) { writer throws(LuaError) in
      try writer.array(count: item.links.count) { list throws(LuaError) in
        for link in item.links {
          try list.append { writer throws(LuaError) in
            try writer.table(fields: 3) { entry in
              set(href, link.href, of: item, in: &entry)
              set(rel, link.rel, of: item, in: &entry)
              set(type, link.type, of: item, in: &entry)
            }
          }
        }
      }
    }
  }
}

// MARK: - Elements that have no place of their own

extension ItemWriter {
  /// `elements`, and the first of each name under its name.
  private func setElements(
    of item: borrowing Item, in table: inout LuaTableWriter
  ) throws(LuaError) {
    if item.elements.isEmpty { return }
    let top = children(in: 0..<item.elements.count, of: item)
    try table.set(elements) { writer throws(LuaError) in
      try writer.array(count: top.count) { list throws(LuaError) in
        for index in top {
          try list.append { writer throws(LuaError) in try push(index, of: item, to: &writer) }
        }
      }
    }
    try setNamed(top, sparing: true, of: item, in: &table)
  }

  /// Whether an element has the name of one of the item's fields, which it must not replace.
  private func isField(_ index: Int, of item: borrowing Item) -> Bool {
    let name = item.elements[index].name
    // Most names have a prefix, and need no String.
    for place in name where item.bytes[place] == UInt8(ascii: ":") { return false }
    return ItemWriter.fields.contains(item.string(name))
  }

  private static let fields: Set = [
    "id", "title", "url", "summary", "content", "comments", "image", "author", "authors",
    "categories", "published", "updated", "enclosures", "links", "elements", "permalink",
  ]

  /// - Parameter sparing: whether the table is the item's own, whose fields stay.
  private func setNamed(
    _ indexes: [Int], sparing: Bool = false, of item: borrowing Item, in table: inout LuaTableWriter
  ) throws(LuaError) {
    // From the last to the first, so that the first of a name stays.
    for index in indexes.reversed() where !sparing || !isField(index, of: item) {
      try unsafe withBytes(item.elements[index].name, of: item) { name throws(LuaError) in
        try unsafe table.set(named: name) { writer throws(LuaError) in
          try pushShort(index, of: item, to: &writer)
        }
      }
    }
  }

  private func children(in range: Range<Int>, of item: borrowing Item) -> [Int] {
    var indexes: [Int] = []
    var index = range.lowerBound
    while index < range.upperBound {
      indexes.append(index)
      index = max(item.elements[index].end, index + 1)
    }
    return indexes
  }

  /// `{ name =, text =, attributes = {}, elements = {} }`.
  private func push(
    _ index: Int, of item: borrowing Item, to writer: inout LuaWriter
  ) throws(LuaError) {
    let element = item.elements[index]
    try writer.table(fields: 4) { table throws(LuaError) in
      set(name, element.name, of: item, in: &table)
      set(text, element.text, of: item, in: &table)
      try table.set(attributes) { writer throws(LuaError) in
        if element.attributes.isEmpty { return writer.push(empty) }
        try writer.table(fields: element.attributes.count) { entry throws(LuaError) in
          try setAttributes(element.attributes, of: item, in: &entry)
        }
      }
      let inner = children(in: (index + 1)..<max(index + 1, element.end), of: item)
      try table.set(elements) { writer throws(LuaError) in
        if inner.isEmpty { return writer.push(empty) }
        try writer.array(count: inner.count) { list throws(LuaError) in
          for child in inner {
            try list.append { writer throws(LuaError) in try push(child, of: item, to: &writer) }
          }
        }
      }
    }
  }

  /// The text when the element has only text, else a table of its text, attributes and children.
  private func pushShort(
    _ index: Int, of item: borrowing Item, to writer: inout LuaWriter
  ) throws(LuaError) {
    let element = item.elements[index]
    let inner = children(in: (index + 1)..<max(index + 1, element.end), of: item)
    if element.attributes.isEmpty && inner.isEmpty {
      return unsafe item.withBytes(element.text) { bytes in unsafe writer.push(bytes) }
    }
    try writer.table(fields: 1 + element.attributes.count + inner.count) { table throws(LuaError) in
      set(text, element.text, of: item, in: &table)
      try setAttributes(element.attributes, of: item, in: &table)
      try setNamed(inner, of: item, in: &table)
    }
  }

  /// `Item.withBytes` for a body that throws.
  private func withBytes(
    _ range: Range<Int>, of item: borrowing Item,
    _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Void
  ) throws(LuaError) {
    var failure: LuaError?
    unsafe item.withBytes(range) { bytes in
      do throws(LuaError) { try unsafe body(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func setAttributes(
    _ range: Range<Int>, of item: borrowing Item, in table: inout LuaTableWriter
  ) throws(LuaError) {
    for attribute in item.attributes[range] {
      try unsafe withBytes(attribute.name, of: item) { name throws(LuaError) in
        try unsafe table.set(named: name) { writer in
          unsafe item.withBytes(attribute.value) { bytes in unsafe writer.push(bytes) }
        }
      }
    }
  }
}
