import StarlingModel

/// Makes a feed's header and items of the events of an XML parser.
///
/// One frame is kept for each open element that matters; texts are appended to the bytes of the
/// item at hand and ranges of them become its fields when an element ends.
struct FeedBuilder {
  /// How the text of an element is taken.
  enum Form: UInt8 {
    /// As it comes: HTML whose markup was escaped, or plain words.
    case raw
    /// Plain text: `&` and `<` are escaped, so that it is HTML like all others.
    case plain
    /// Inline markup: elements are written out, text is escaped.
    case markup
    /// The same inside of one `<div>` that is no part of it (RFC 4287, 4.1.3.3).
    case xhtml
    /// The same, as long as no element has come: without any, publishers have escaped HTML and named
    /// the wrong type.
    case escapedXHTML
    /// Base64 of HTML.
    case base64
  }

  enum Role: UInt8 {
    /// A root or a container whose children have roles of their own.
    case container
    case item
    /// A text of the item or header at hand.
    case field
    case person
    /// An element that plugins see.
    case element
    /// Inline markup inside of a field.
    case markup
    /// Nothing inside of it counts.
    case ignored
  }

  struct Frame {
    var role: Role
    var tag: Tag
    var family: Namespaces.Family
    var form: Form
    /// Whether what it means applies to the item at hand.
    var applies: Bool
    /// Whether it set a base or language that ends with it.
    var hasBase: Bool
    /// The place of its name in the table.
    var name: Int32
    /// Its place in the item's elements, or -1.
    var element: Int32
    /// Where its text begins in the item's bytes.
    var start: Int
    /// Where its text ends: at its first child, or -1 while it has none.
    var stop: Int
  }

  /// All that one item may hold.
  static let maximumItemBytes = 16 << 20
  static let maximumElements = 10_000

  let options: FeedOptions
  /// What the marks in character data stand for.
  let texts: TextRuns
  var format: FeedFormat?
  /// The item at hand; the feed's header while none is open.
  var current = Item()
  /// The other one of the two.
  var header = Item()
  var isInItem = false
  var ranks = Ranks()
  var headerRanks = Ranks()
  var person = Item.Author(name: 0..<0, email: 0..<0, url: 0..<0)
  var link = LinkInHand()
  /// The xml:base of the open elements that have one.
  var bases: [String] = []
  /// The feed's own page, once the first item of RSS has begun.
  var siteBase: String?
  var names = NameTable()
  var frames: [Frame] = []
  var language: String?
  var generator: String?
  var damage = DamageLog()
  var itemCount = 0
  var queue = ItemQueue()
  /// Whether the document has ended, and what is open with it.
  var isCut = false
  /// The element whose text the end cut in two, if it has been left out.
  var cutElement: String?

  init(options: FeedOptions, texts: TextRuns) {
    self.options = options
    self.texts = texts
    frames.reserveCapacity(64)
  }

  /// What relative addresses are relative to: the innermost xml:base; in RSS, which does not know
  /// it, the feed's own page; else the document's address. Without the latter, relative addresses
  /// stay as published unless an xml:base is there: feeds read by hand are looked at as they are.
  var base: String? { bases.last ?? siteBase ?? options.url }

  /// The item at hand, from 1; 0 outside of items.
  var placeOfItem: Int { isInItem ? itemCount + 1 : 0 }

  // MARK: Events

  mutating func start(
    _ local: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) {
    let place = unsafe names.place(local, prefix: prefix, uri: uri)
    let tag = names.names[place].tag
    let family = names.names[place].family
    var frame = Frame(
      role: .ignored, tag: tag, family: family, form: .raw, applies: false, hasBase: false,
      name: Int32(truncatingIfNeeded: place), element: -1, start: current.bytes.count, stop: -1)
    if unsafe attributes.count > 0 { unsafe enterBase(attributes, &frame) }
    if frames.isEmpty {
      frame.role = .container
      unsafe startRoot(tag, attributes, &frame)
    } else {
      unsafe startInside(attributes, &frame)
    }
    frames.append(frame)
  }

  mutating func text(mark: UnsafeBufferPointer<UInt8>) {
    let bytes = unsafe texts.text(of: mark)
    guard let frame = frames.last else { return }
    switch frame.role {
    case .field, .element, .person, .markup:
      if frame.role != .markup, frame.stop >= 0 { return }
      guard current.bytes.count + bytes.count <= FeedBuilder.maximumItemBytes else {
        return damage.note(.oversized, at: 0, item: placeOfItem)
      }
      if frame.form == .plain || frame.form == .markup || frame.form == .xhtml {
        unsafe appendEscaped(bytes)
      } else {
        unsafe current.bytes.append(contentsOf: bytes)
      }
    case .container, .item, .ignored: break
    }
  }

  mutating func end() {
    guard let frame = frames.popLast() else { return }
    switch frame.role {
    case .markup: closeMarkup(frame)
    case .field, .person: finishField(frame)
    case .element: finishElement(frame)
    case .item: finishItem()
    case .container, .ignored: break
    }
    if frame.hasBase { bases.removeLast() }
  }

  // MARK: Roles

  private mutating func startRoot(_ tag: Tag, _ attributes: XMLAttributes, _ frame: inout Frame) {
    switch tag {
    case .feed: format = .atom
    case .rdf: format = .rdf
    case .item:
      format = frame.family == .atom ? .atom : .rss
      unsafe startItem(attributes, &frame)
    default: format = .rss
    }
    if let value = unsafe attributes.xmlValue("lang") {
      language = unsafe String(decoding: value, as: UTF8.self)
    }
  }

  private mutating func startInside(_ attributes: XMLAttributes, _ frame: inout Frame) {
    let parent = frames[frames.count - 1]
    switch parent.role {
    case .ignored: break
    case .container, .item: unsafe startChild(of: parent, attributes, &frame)
    case .field where isTextual(parent.tag): unsafe openMarkup(attributes, &frame)
    case .markup: unsafe openMarkup(attributes, &frame)
    case .person: startPersonPart(&frame)
    case .field: break
    case .element: unsafe startNested(in: parent, attributes, &frame)
    }
  }

  private mutating func startChild(
    of parent: Frame, _ attributes: XMLAttributes, _ frame: inout Frame
  ) {
    switch frame.tag {
    case .item where !isInItem: return unsafe startItem(attributes, &frame)
    case .channel, .rss, .rdf, .feed, .items:
      if parent.role == .container {
        frame.role = .container
        if frame.tag == .channel, format == nil { format = .rss }
        return
      }
    default: break
    }
    unsafe startMember(attributes, &frame)
  }

  /// A child of an item, or of the feed itself.
  private mutating func startMember(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.applies = true
    let isOwn = frame.family == .rss || frame.family == .atom || frame.family == .xhtml
    switch frame.tag {
    case .author where isOwn, .contributor where isOwn:
      person = Item.Author(name: 0..<0, email: 0..<0, url: 0..<0)
      frame.role = .person
      return
    case .source, .textInput:
      return unsafe startElement(attributes, &frame)
    case .image where format != .atom || frame.family != .atom:
      return unsafe startElement(attributes, &frame)
    case .other, .items, .mediaGroup, .mediaContent, .thumbnail:
      return unsafe startElement(attributes, &frame)
    case .link, .category, .enclosure, .guid:
      unsafe readLink(attributes)
    default: break
    }
    if isOwn {
      if unsafe saysMore(frame.tag, attributes) { unsafe noteElement(attributes, &frame) }
      frame.role = .field
      frame.form = unsafe form(frame, attributes)
      frame.start = current.bytes.count
    } else {
      unsafe startElement(attributes, &frame)
    }
  }

  private func isTextual(_ tag: Tag) -> Bool {
    switch tag {
    case .title, .description, .content, .encoded, .summary, .body, .subtitle, .abstract: true
    default: false
    }
  }

  private mutating func startItem(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.role = .item
    isInItem = true
    swap(&current, &header)
    swap(&ranks, &headerRanks)
    if itemCount == 0, format != .atom, options.url != nil, let link = header.string(.url) {
      siteBase = URLReference(link).host == nil ? nil : link
    }
    queue.takeSpare(&current)
    current.reset()
    ranks = Ranks()
    unsafe readItemAttributes(attributes)
  }
}
