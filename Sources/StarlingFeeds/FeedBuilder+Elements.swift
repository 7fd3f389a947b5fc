import CXML2
import Glibc
import StarlingModel

extension FeedBuilder {
  /// Notes an element for plugins, with its attributes, and takes its text for it alone.
  mutating func startElement(_ attributes: XMLAttributes, _ frame: inout Frame) {
    guard unsafe noteElement(attributes, &frame) else { return }
    frame.role = .element
    frame.form = .raw
    frame.start = current.bytes.count
  }

  /// Whether an element of the feed's own format has attributes that no field of an item holds.
  func saysMore(_ tag: Tag, _ attributes: XMLAttributes) -> Bool {
    guard isInItem else { return false }
    for index in 0..<(unsafe attributes.count) {
      guard unsafe attributes.prefix(index) == nil, let name = unsafe attributes.name(index)
      else { continue }
      let isHeld =
        switch tag {
        case .title, .summary, .content, .subtitle:
          unsafe xmlStrEqual(name, "type") != 0 || xmlStrEqual(name, "mode") != 0
        case .link, .enclosure, .guid: unsafe LinkAttribute(name) != .none
        case .category: unsafe xmlStrEqual(name, "term") != 0
        default: false
        }
      if !isHeld { return true }
    }
    return false
  }

  /// Notes an element for plugins, with its attributes; false when the item is full.
  @discardableResult
  mutating func noteElement(_ attributes: XMLAttributes, _ frame: inout Frame) -> Bool {
    guard current.elements.count < FeedBuilder.maximumElements,
      current.bytes.count < FeedBuilder.maximumItemBytes
    else {
      damage.note(.oversized, at: 0, item: placeOfItem)
      return false
    }
    frame.element = Int32(truncatingIfNeeded: current.elements.count)
    let display = names.names[Int(frame.name)].display
    let nameStart = current.bytes.count
    current.bytes.append(contentsOf: display)
    let name = nameStart..<current.bytes.count
    let first = current.attributes.count
    for index in 0..<(unsafe attributes.count) {
      guard let local = unsafe attributes.name(index) else { continue }
      let start = current.bytes.count
      if let prefix = unsafe attributes.prefix(index) {
        unsafe append(zeroEnded: prefix)
        current.bytes.append(0x3A)
      }
      unsafe append(zeroEnded: local)
      let key = start..<current.bytes.count
      let value = unsafe append(attributes.value(index))
      current.attributes.append(Item.Attribute(name: key, value: value))
    }
    current.elements.append(
      Item.Element(
        name: name, text: 0..<0, attributes: first..<current.attributes.count,
        end: current.elements.count + 1))
    return true
  }

  private mutating func append(zeroEnded text: UnsafePointer<UInt8>) {
    var at = unsafe text
    while unsafe at.pointee != 0 {
      unsafe current.bytes.append(at.pointee)
      unsafe at += 1
    }
  }

  /// An element inside of an element that plugins see.
  mutating func startNested(in parent: Frame, _ attributes: XMLAttributes, _ frame: inout Frame) {
    if isMarkup(parent, frame) { return unsafe openMarkup(attributes, &frame) }
    closeText()
    let isMedia =
      frame.family == .media && (parent.tag == .mediaGroup || parent.tag == .mediaContent)
    let isPicture = parent.tag == .image && frame.tag == .url && parent.applies
    unsafe startElement(attributes, &frame)
    frame.applies = (isMedia || isPicture) && parent.applies
  }

  /// Whether a child is inline markup of a text in another namespace, such as content:encoded with
  /// HTML that nobody escaped.
  private func isMarkup(_ parent: Frame, _ frame: Frame) -> Bool {
    switch parent.tag {
    case .encoded, .body: true
    case .abstract, .title, .subtitle, .mediaDescription, .mediaTitle:
      frame.family == .xhtml || frame.family == parent.family || frame.family == .rss
    default: false
    }
  }

  /// The text of the open element ends where its first child begins.
  mutating func closeText() {
    let last = frames.count - 1
    if frames[last].stop < 0 { frames[last].stop = current.bytes.count }
  }

  mutating func startPersonPart(_ frame: inout Frame) {
    closeText()
    switch frame.tag {
    case .name, .email, .uri, .url: frame.role = .field
    default: frame.role = .ignored
    }
    frame.start = current.bytes.count
  }

  /// Reads the attributes of a link, a category, an enclosure or a guid.
  mutating func readLink(_ attributes: XMLAttributes) {
    link = LinkInHand()
    for index in 0..<(unsafe attributes.count) {
      guard let name = unsafe attributes.name(index), unsafe attributes.prefix(index) == nil
      else { continue }
      unsafe readLink(LinkAttribute(name), attributes.value(index))
    }
  }

  enum LinkAttribute {
    case href, url, rel, type, term, label, length, isPermaLink, none

    init(_ name: UnsafePointer<UInt8>) {
      let first = unsafe name.pointee | 0x20
      let known: [(StaticString, LinkAttribute)] =
        switch first {
        case UInt8(ascii: "h"): [("href", .href)]
        case UInt8(ascii: "u"): [("url", .url)]
        case UInt8(ascii: "r"): [("rel", .rel)]
        case UInt8(ascii: "t"): [("type", .type), ("term", .term)]
        case UInt8(ascii: "l"): [("label", .label), ("length", .length)]
        case UInt8(ascii: "i"): [("isPermaLink", .isPermaLink)]
        default: []
        }
      self = known.first { unsafe xmlStrcasecmp(name, $0.0.utf8Start) == 0 }?.1 ?? .none
    }
  }

  private mutating func readLink(_ name: LinkAttribute, _ value: UnsafeBufferPointer<UInt8>) {
    if name == .none { return }
    let range = unsafe appendTrimmed(value)
    switch name {
    case .href: link.href = range
    case .url: if link.href.isEmpty { link.href = range }
    case .rel: link.rel = range
    case .type: link.type = range
    case .term: link.term = range
    case .label: link.label = range
    case .length: link.length = Int64(current.string(range))
    case .isPermaLink: link.isPermaLink = isText(range, "true") || isText(range, "1")
    case .none: break
    }
  }

  /// What an item's own start tag says: the address of an RDF item, a CDF item's link and time.
  mutating func readItemAttributes(_ attributes: XMLAttributes) {
    if format == .rdf {
      for index in 0..<(unsafe attributes.count) {
        guard let name = unsafe attributes.name(index), unsafe strcmp(name, "about") == 0
        else { continue }
        set(.id, unsafe appendTrimmed(attributes.value(index)), rank: 2)
      }
    }
    if let href = unsafe attributes.value("href") {
      set(.url, resolved(unsafe append(href)), rank: 1)
    }
    if let time = unsafe attributes.value("lastmod") {
      current.updated = unsafe Timestamp(parsing: UnsafeRawBufferPointer(time))
    }
  }

  /// Enters the scope of an xml:base.
  mutating func enterBase(_ attributes: XMLAttributes, _ frame: inout Frame) {
    guard let value = unsafe attributes.xmlValue("base") else { return }
    let text = unsafe String(decoding: value, as: UTF8.self)
    // An empty reference is the base itself (RFC 3986, 4.4).
    let reference = URLReference(text)
    if text.trimmed.isEmpty || !reference.canBeBase { return }
    bases.append(base.flatMap { URLReference.join($0, text) } ?? reference.description)
    frame.hasBase = true
  }
}
