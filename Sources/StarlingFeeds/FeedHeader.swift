/// The shape of a feed; the raw value is the word that plugins see.
package enum FeedFormat: String, Sendable, CaseIterable {
  case rss
  case atom
  case rdf
  case jsonfeed
  case json
}

/// What a feed says about itself. For streamed XML it is what precedes the item at hand until the
/// document is finished.
package struct FeedHeader: Sendable, Equatable {
  /// Nil until the root element or the document has been seen.
  package var format: FeedFormat?
  /// As published: HTML is possible.
  package var title: String?
  /// The page that the feed belongs to, absolute where that can be told.
  package var link: String?
  package var id: String?
  /// Where the document was read from.
  package var url: String?
  /// The host of `url`, else of the feed's own link, else empty.
  package var site = ""
  package var language: String?
  package var image: String?
  /// The program that made it, as it names itself.
  package var generator: String?

  package init() {}
}
