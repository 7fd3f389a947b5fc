/// Why a document gives nothing.
package enum FeedError: Error, Equatable, Sendable {
  /// There are no bytes, or only white space.
  case empty
  /// It is neither XML with a feed's root element nor JSON; the text says what it begins with.
  case notAFeed(String)
  /// It is a web page; the addresses are those of the feeds that its head announces, absolute where
  /// the page's own address is known.
  case html(feeds: [String])
  /// No converter for the charset that the source demands.
  case charset(String)
  /// JSON that breaks RFC 8259, and the byte where it does.
  case json(message: String, offset: Int)
  /// More than the stated number of bytes in what has to be held whole.
  case tooLarge(limitBytes: Int)
  /// A library could not get memory or refused to work.
  case library(String)
}

extension FeedError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "not a feed: the document is empty; check its address or file"
    case .notAFeed(let what):
      "not a feed: \(what), where RSS, Atom, RDF or JSON is expected; check its address or file"
    case .html(let feeds) where feeds.isEmpty:
      "not a feed: it is a web page that announces no feed; look for a feed's address on the page"
    case .html(let feeds):
      "not a feed: it is a web page; try the feed that it announces: "
        + feeds.joined(separator: " or ")
    case .charset(let name): "unknown charset: \(name); name one that iconv -l lists"
    case .json(let message, let offset): "bad JSON at byte \(offset): \(message)"
    case .tooLarge(let limit): "too large: more than \(limit) bytes have to be held at once"
    case .library(let what): "cannot decode: \(what)"
    }
  }
}
