package import StarlingModel

/// A decoded feed as the one JSON object that `starling decode` prints.
package enum FeedJSON {
  /// Writes a finished decoder's feed whole, taking its items.
  package static func write(_ decoder: FeedDecoder, to writer: inout JSONWriter) {
    begin(decoder.header, to: &writer)
    var item = Item()
    while decoder.next(into: &item) { write(item, to: &writer) }
    end(&writer)
  }

  /// Writes `{"feed": {...}, "entries": [`, up to the first entry.
  ///
  /// Absent values are left out; where a feed has only one of summary and content, it stands for
  /// both; what was updated and says no more was published then; times are RFC 3339 in UTC; an author is a text, or an object with
  /// name and email where the feed says both, and several are a list.
  package static func begin(_ header: FeedHeader, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("feed")
    writer.beginObject()
    write("title", header.title, to: &writer)
    write("url", header.link, to: &writer)
    write("id", header.id, to: &writer)
    writer.endObject()
    writer.name("entries")
    writer.beginArray()
  }

  package static func end(_ writer: inout JSONWriter) {
    writer.endArray()
    writer.endObject()
    writer.newline()
  }

  /// Each field with the one that stands in for it.
  private static let fields: [(String, Item.Field, Item.Field)] = [
    ("id", .id, .id), ("title", .title, .title), ("url", .url, .url),
    ("summary", .summary, .content), ("content", .content, .summary),
  ]

  /// Writes an entry.
  package static func write(_ item: borrowing Item, to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, field, standIn) in fields {
      let range = item[field].isEmpty ? item[standIn] : item[field]
      guard !range.isEmpty else { continue }
      writer.name(name)
      write(range, of: item, to: &writer)
    }
    if let time = item.published ?? item.updated {
      writer.name("published")
      writer.time(time)
    }
    if let time = item.updated {
      writer.name("updated")
      writer.time(time)
    }
    writeAuthors(item, to: &writer)
    if !item.categories.isEmpty {
      writer.name("categories")
      writer.beginArray()
      for category in item.categories { write(category, of: item, to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  private static func write(_ name: String, _ text: String?, to writer: inout JSONWriter) {
    guard let text else { return }
    writer.name(name)
    writer.text(text)
  }

  private static func write(
    _ range: Range<Int>, of item: borrowing Item, to writer: inout JSONWriter
  ) {
    unsafe item.withBytes(range) { unsafe writer.text(utf8: $0) }
  }

  private static func writeAuthors(_ item: Item, to writer: inout JSONWriter) {
    guard !item.authors.isEmpty else { return }
    writer.name("author")
    let isList = item.authors.count > 1
    if isList { writer.beginArray() }
    for author in item.authors { write(author, of: item, to: &writer) }
    if isList { writer.endArray() }
  }

  private static func write(
    _ author: Item.Author, of item: borrowing Item, to writer: inout JSONWriter
  ) {
    if author.email.isEmpty || author.name.isEmpty {
      let text = [author.name, author.email, author.url].first { !$0.isEmpty }
      write(text ?? 0..<0, of: item, to: &writer)
      return
    }
    writer.beginObject()
    writer.name("name")
    write(author.name, of: item, to: &writer)
    writer.name("email")
    write(author.email, of: item, to: &writer)
    writer.endObject()
  }
}
