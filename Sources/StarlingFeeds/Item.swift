package import StarlingModel

/// One raw entry of a feed in flat form: all texts lie in `bytes` as UTF-8, everything else is a
/// range of them, so that a host can hand them on with no String made on the way.
///
/// An empty range means absent. `title`, `summary` and `content` are HTML: a text that the feed
/// declares as plain has its `&` and `<` escaped.
package struct Item: Sendable {
  /// The texts of which an item has at most one.
  package enum Field: Int, CaseIterable, Sendable {
    case id
    case title
    /// Absolute where that can be told.
    case url
    case summary
    case content
    /// The address of the page with the comments.
    case comments
    /// The address of a picture.
    case image
  }

  package struct Author: Sendable, Equatable {
    package var name: Range<Int>
    package var email: Range<Int>
    package var url: Range<Int>
  }

  package struct Enclosure: Sendable, Equatable {
    package var url: Range<Int>
    package var type: Range<Int>
    /// In bytes, as published.
    package var length: Int64?
  }

  package struct Link: Sendable, Equatable {
    package var href: Range<Int>
    package var rel: Range<Int>
    package var type: Range<Int>
  }

  /// An element beyond the fields above.
  package struct Element: Sendable, Equatable {
    /// With the usual prefix of its namespace, such as `media:thumbnail`.
    package var name: Range<Int>
    /// The text up to the first child.
    package var text: Range<Int>
    /// A range of `Item.attributes`.
    package var attributes: Range<Int>
    /// The index in `Item.elements` behind its last descendant; its first child, if any, is the
    /// element that follows it.
    package var end: Int
  }

  package struct Attribute: Sendable, Equatable {
    package var name: Range<Int>
    package var value: Range<Int>
  }

  package internal(set) var bytes: [UInt8] = []
  /// Memory that the texts take.
  package var heldBytes: Int { bytes.capacity }
  var fields: [Range<Int>] = Array(repeating: 0..<0, count: Field.allCases.count)
  package internal(set) var published: Timestamp?
  package internal(set) var updated: Timestamp?
  package internal(set) var authors: [Author] = []
  package internal(set) var categories: [Range<Int>] = []
  package internal(set) var enclosures: [Enclosure] = []
  package internal(set) var links: [Link] = []
  /// What `isPermaLink` says of an RSS guid; nil where it says nothing.
  package internal(set) var isPermaLink: Bool?
  /// In document order, each followed by its descendants: the elements of other namespaces and
  /// formats, and those of the feed's own format that say more than the fields above hold.
  package internal(set) var elements: [Element] = []
  package internal(set) var attributes: [Attribute] = []
  /// Its place in the document, from 1.
  package internal(set) var place = 0

  package init() {}

  package internal(set) subscript(field: Field) -> Range<Int> {
    get { fields[field.rawValue] }
    set { fields[field.rawValue] = newValue }
  }

  /// The text of a range; empty for a range that does not lie in `bytes`.
  package func withBytes<Result>(
    _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe bytes.withUnsafeBytes { all in
      guard range.upperBound <= all.count else {
        return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
      }
      return unsafe body(UnsafeRawBufferPointer(rebasing: all[range]))
    }
  }

  package func string(_ range: Range<Int>) -> String {
    guard range.upperBound <= bytes.count else { return "" }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  package func string(_ field: Field) -> String? {
    let range = self[field]
    return range.isEmpty ? nil : string(range)
  }

  /// Where nothing else is an address and the id is one of the web, it is taken.
  mutating func takeAddressFromId() {
    let id = self[.id]
    guard self[.url].isEmpty, begins(id, "http://") || begins(id, "https://") else {
      return
    }
    self[.url] = id
  }

  private func begins(_ range: Range<Int>, _ start: StaticString) -> Bool {
    let count = start.utf8CodeUnitCount
    return range.count > count
      && (0..<count).allSatisfy {
        unsafe ByteScan.lower(bytes[range.lowerBound + $0]) == start.utf8Start[$0]
      }
  }

  /// Empties the item and keeps its storage.
  mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    for index in fields.indices { fields[index] = 0..<0 }
    published = nil
    updated = nil
    isPermaLink = nil
    authors.removeAll(keepingCapacity: true)
    categories.removeAll(keepingCapacity: true)
    enclosures.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    place = 0
  }
}
