import StarlingFeeds
import StarlingModel

/// A first draft of a plugin for a feed that was never seen before, with the feed's beginning as its
/// fixture.
struct PluginDraft {
  var sketch: PluginSketch
  /// The fixture's input.
  var input: [UInt8]
  /// `json` or `xml`.
  var inputExtension: String
  var url: String?
  var contentType: String?

  /// The items that a fixture keeps.
  private static let fixtureItems = 10
  /// A document that is shorter is kept whole.
  private static let longBytes = 64 << 10

  init(
    kind: String, document: [UInt8], input: FeedInput, url: String?, contentType: String?
  ) throws(HostError) {
    self.url = input.url ?? url
    self.contentType = input.contentType ?? contentType
    let options = FeedOptions(
      url: self.url, contentType: self.contentType, charset: input.charset)
    let decoder = try PluginDraft.decode(document, options, input)
    let host = decoder.header.site
    let place = host.isEmpty ? Files.name(input.name) : host
    let summary = decoder.header.title.map { "\($0), of \(place)" } ?? "What \(place) lists"
    let line = summary.split { $0.isNewline }.joined(separator: " ")
    if let document = decoder.document, decoder.header.format == .json {
      if let draft = JSONDraft(document) {
        sketch = draft.sketch(kind: kind, summary: line, site: host)
        self.input = draft.cut(to: PluginDraft.fixtureItems) + [UInt8(ascii: "\n")]
      } else if let draft = RowsDraft(document) {
        sketch = draft.sketch(kind: kind, summary: line, site: host)
        self.input = draft.cut(to: PluginDraft.fixtureItems) + [UInt8(ascii: "\n")]
      } else {
        throw HostError(
          .feed, "no list of objects or of rows in it: begin with plugins new NAME alone",
          subject: input.name)
      }
      inputExtension = "json"
      return
    }
    var items: [Item] = []
    while let item = decoder.next(), items.count < JSONDraft.sampleCount { items.append(item) }
    guard !items.isEmpty else {
      throw HostError(.feed, "it has no items to learn from", subject: input.name)
    }
    sketch = EntryDraft(header: decoder.header, items: items).sketch(kind: kind, summary: line)
    inputExtension = decoder.header.format == .jsonfeed ? "json" : "xml"
    self.input = PluginDraft.cut(document, decoder)
  }

  private static func decode(
    _ document: [UInt8], _ options: FeedOptions, _ input: FeedInput
  ) throws(HostError) -> FeedDecoder {
    let decoder = FeedDecoder(options)
    do throws(FeedError) {
      try decoder.append(document)
      try decoder.finish()
    } catch {
      throw HostError(error, input)
    }
    return decoder
  }

  private static func cut(_ document: [UInt8], _ decoder: FeedDecoder) -> [UInt8] {
    if document.count <= longBytes { return document }
    if let json = decoder.document, let items = json.member(json.root, "items") {
      return CompactJSON.text(of: json, limiting: items, to: fixtureItems) + [UInt8(ascii: "\n")]
    }
    for tag in ["</item>", "</entry>"] {
      let ends = places(of: Array(tag.utf8), in: document)
      guard ends.count > fixtureItems, let last = ends.last else { continue }
      let rest = document[(last + tag.utf8.count)...]
      return Array(document[..<(ends[fixtureItems - 1] + tag.utf8.count)]) + Array(rest)
    }
    return document
  }

  private static func places(of text: [UInt8], in document: [UInt8]) -> [Int] {
    var places: [Int] = []
    var index = 0
    while index + text.count <= document.count {
      if document[index] == text[0], document[index...].starts(with: text) { places.append(index) }
      index += 1
    }
    return places
  }
}
