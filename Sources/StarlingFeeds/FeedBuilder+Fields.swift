import StarlingModel

/// How good the source of each value of an item is: 0 is the format's own element, higher numbers
/// are stand-ins of other namespaces; a value is only replaced by a better one.
struct Ranks {
  static let none: UInt8 = 255
  var fields: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (
    none, none, none, none, none, none, none
  )
  var published = none
  var updated = none
  var isPermaLink = true
  /// Whether the address is the one behind a counter, which no other replaces.
  var isOriginal = false

  subscript(field: Item.Field) -> UInt8 {
    get {
      switch field {
      case .id: fields.0
      case .title: fields.1
      case .url: fields.2
      case .summary: fields.3
      case .content: fields.4
      case .comments: fields.5
      case .image: fields.6
      }
    }
    set {
      switch field {
      case .id: fields.0 = newValue
      case .title: fields.1 = newValue
      case .url: fields.2 = newValue
      case .summary: fields.3 = newValue
      case .content: fields.4 = newValue
      case .comments: fields.5 = newValue
      case .image: fields.6 = newValue
      }
    }
  }
}

/// The attributes of the link, category, enclosure or guid that is open.
struct LinkInHand {
  var href = 0..<0
  var rel = 0..<0
  var type = 0..<0
  var term = 0..<0
  var label = 0..<0
  var length: Int64?
  var isPermaLink: Bool?
}

extension FeedBuilder {
  mutating func finishField(_ frame: Frame) {
    let end = frame.stop >= 0 ? frame.stop : current.bytes.count
    var range = trimmed(frame.start..<max(end, frame.start))
    if frame.form == .base64 { range = decodeBase64(range) }
    if frame.form == .xhtml { range = withoutDiv(range) }
    if frame.element >= 0 { current.elements[Int(frame.element)].text = range }
    if frame.role == .person {
      finishPerson(range)
    } else if isCut, !range.isEmpty, !isReadable(frame.tag) {
      leaveOut(frame)
    } else if frame.applies {
      apply(frame, range)
    } else {
      finishPersonPart(frame.tag, range)
    }
  }

  mutating func finishElement(_ frame: Frame) {
    let index = Int(frame.element)
    guard current.elements.indices.contains(index) else { return }
    let end = frame.stop >= 0 ? frame.stop : current.bytes.count
    let range = trimmed(frame.start..<max(end, frame.start))
    current.elements[index].text = range
    current.elements[index].end = current.elements.count
    if isCut, frame.applies, !range.isEmpty, !isReadable(frame.tag) { return leaveOut(frame) }
    if frame.applies { applyElement(frame, range, index) }
  }

  /// Whether half of an element's text is of use: half an address, id or time is another one.
  private func isReadable(_ tag: Tag) -> Bool {
    switch tag {
    case .title, .description, .content, .encoded, .summary, .body, .subtitle, .abstract,
      .mediaTitle, .mediaDescription, .name, .author, .creator, .contributor:
      true
    default: false
    }
  }

  private mutating func leaveOut(_ frame: Frame) {
    let name = names.names[Int(frame.name)].display
    cutElement = cutElement ?? "<\(String(decoding: name, as: UTF8.self))>"
  }

  /// Gives a field a value unless it has a better one.
  mutating func set(_ field: Item.Field, _ range: Range<Int>, rank: UInt8) {
    guard !range.isEmpty, rank < ranks[field] else { return }
    current[field] = range
    ranks[field] = rank
  }

  private mutating func apply(_ frame: Frame, _ range: Range<Int>) {
    let isAtom = frame.family == .atom
    switch frame.tag {
    case .title: set(.title, absolutized(range), rank: isAtom && format != .atom ? 1 : 0)
    case .link: applyLink(isAtom, range)
    case .description:
      // Beside a summary, or another description, it is the content.
      let isSecond = ranks[.summary] == 0
      set(isSecond ? .content : .summary, absolutized(range), rank: isSecond ? 3 : 0)
    case .summary: set(.summary, absolutized(range), rank: isAtom && format != .atom ? 1 : 0)
    case .abstract: set(.summary, absolutized(range), rank: 1)
    case .content: set(.content, absolutized(range), rank: 1)
    case .body: set(.content, absolutized(range), rank: 2)
    case .guid: applyGuid(range)
    case .identifier:
      // An id is kept as published, but for an address that leaves its host out.
      let isPath = isAtom && range.first.map { current.bytes[$0] } == 0x2F
      set(.id, isPath ? resolved(range) : range, rank: isAtom && format == .atom ? 0 : 1)
    case .comments: set(.comments, resolved(range), rank: 0)
    case .published: setPublished(range, rank: isAtom == (format == .atom) ? 0 : 1)
    case .created: setPublished(range, rank: 3)
    case .updated: setUpdated(range, rank: 0)
    case .category: applyCategory(range)
    case .enclosure: applyEnclosure()
    case .image: set(.image, resolved(range), rank: 1)
    case .language: if !range.isEmpty { language = language ?? current.string(range) }
    case .generator: if !range.isEmpty { generator = generator ?? current.string(range) }
    default: break
    }
  }

  private mutating func applyGuid(_ range: Range<Int>) {
    guard !range.isEmpty, ranks[.id] > 0 else { return }
    set(.id, range, rank: 0)
    current.isPermaLink = link.isPermaLink
    ranks.isPermaLink = link.isPermaLink ?? true
    if ranks.isPermaLink, link.isPermaLink == true || URLBytes.hasScheme(current.bytes, range) {
      set(.url, resolved(range), rank: 2)
    }
  }

  private mutating func applyCategory(_ range: Range<Int>) {
    if !link.term.isEmpty {
      current.categories.append(link.term)
    } else if !range.isEmpty {
      current.categories.append(range)
    } else if !link.label.isEmpty {
      current.categories.append(link.label)
    }
  }

  private mutating func applyEnclosure() {
    guard !link.href.isEmpty else { return }
    let url = resolved(link.href)
    current.enclosures.append(
      Item.Enclosure(url: url, type: link.type, length: link.length))
    set(.url, url, rank: 6)
    if hasPrefix(link.type, "image/") { set(.image, url, rank: 4) }
  }

  private mutating func applyLink(_ isAtom: Bool, _ text: Range<Int>) {
    let isBare = link.href.isEmpty && link.rel.isEmpty
    if isBare || (!isAtom && link.rel.isEmpty) {
      // RSS: the text is the link, and of several the last one counts.
      let href = resolved(link.href.isEmpty ? text : link.href)
      if ranks[.url] == 0, !href.isEmpty, !ranks.isOriginal { ranks[.url] = Ranks.none }
      return set(.url, href, rank: isAtom && format != .atom ? 1 : 0)
    }
    let href = resolved(link.href.isEmpty ? text : link.href)
    guard !href.isEmpty else { return }
    current.links.append(Item.Link(href: href, rel: link.rel, type: link.type))
    shortenRelation()
    if link.rel.isEmpty || isText(link.rel, "alternate") {
      let isPage =
        link.type.isEmpty || hasPrefix(link.type, "text/html")
        || hasPrefix(link.type, "application/xhtml")
      let own: UInt8 = format == .atom ? 0 : 1
      set(.url, href, rank: isPage ? own : own + 4)
    } else if isText(link.rel, "enclosure") {
      current.enclosures.append(Item.Enclosure(url: href, type: link.type, length: link.length))
      if hasPrefix(link.type, "image/") { set(.image, href, rank: 4) }
    } else if isText(link.rel, "replies"), link.type.isEmpty || hasPrefix(link.type, "text/html") {
      set(.comments, href, rank: 1)
    }
  }

  /// A relation may be written as its address in the registry (RFC 4287, 4.2.7.2).
  private mutating func shortenRelation() {
    for registry in FeedBuilder.relationRegistries where hasPrefix(link.rel, registry) {
      link.rel = (link.rel.lowerBound + registry.utf8CodeUnitCount)..<link.rel.upperBound
    }
  }

  private static let relationRegistries: [StaticString] = [
    "http://www.iana.org/assignments/relation/", "https://www.iana.org/assignments/relation/",
  ]

  // MARK: Elements of other namespaces

  private mutating func applyElement(_ frame: Frame, _ range: Range<Int>, _ index: Int) {
    switch frame.tag {
    case .title: set(.title, range, rank: 2)
    case .mediaTitle: set(.title, range, rank: 3)
    case .encoded: set(.content, absolutized(range), rank: 0)
    case .body: set(.content, absolutized(range), rank: 2)
    case .abstract: set(.summary, range, rank: frame.family == .dublinCore ? 2 : 3)
    case .subtitle: set(.summary, range, rank: 5)
    case .mediaDescription: set(.summary, range, rank: 4)
    case .identifier: set(.id, range, rank: 1)
    case .published: setPublished(range, rank: 1)
    case .date: setPublished(range, rank: 2)
    case .created: setPublished(range, rank: 3)
    case .updated: setUpdated(range, rank: 1)
    case .creator: if !range.isEmpty { appendAuthor(range, isOwn: frame.family != .itunes) }
    case .category: applyForeignCategory(range, index)
    case .keywords: splitKeywords(range)
    case .language: if !range.isEmpty { language = language ?? current.string(range) }
    case .image: if let url = attribute(index, "href") { set(.image, resolved(url), rank: 2) }
    case .thumbnail: if let url = attribute(index, "url") { set(.image, resolved(url), rank: 0) }
    case .url: set(.image, resolved(range), rank: 1)
    case .originalLink: setOriginalLink(range)
    case .mediaContent: applyMediaContent(index)
    default: break
    }
  }

  /// The address that a link through a counter leads to in the end.
  private mutating func setOriginalLink(_ range: Range<Int>) {
    let url = resolved(range)
    guard URLBytes.hasScheme(current.bytes, url) else { return }
    ranks[.url] = Ranks.none
    set(.url, url, rank: 0)
    ranks.isOriginal = true
  }

  private mutating func applyForeignCategory(_ range: Range<Int>, _ index: Int) {
    if !range.isEmpty {
      current.categories.append(range)
    } else if let text = attribute(index, "text") {
      current.categories.append(text)
    }
  }

  private mutating func applyMediaContent(_ index: Int) {
    guard let address = attribute(index, "url") else { return }
    let url = resolved(address)
    let medium = attribute(index, "medium") ?? 0..<0
    let type = attribute(index, "type") ?? 0..<0
    if isText(medium, "image") || hasPrefix(type, "image/") { set(.image, url, rank: 3) }
    set(.url, url, rank: 7)
  }

  private mutating func splitKeywords(_ range: Range<Int>) {
    var start = range.lowerBound
    for at in range where current.bytes[at] == 0x2C {
      appendKeyword(start..<at)
      start = at + 1
    }
    appendKeyword(start..<range.upperBound)
  }

  private mutating func appendKeyword(_ range: Range<Int>) {
    let word = trimmed(range)
    if !word.isEmpty { current.categories.append(word) }
  }

  /// The value of an element's attribute; nil when it is absent or blank.
  func attribute(_ index: Int, _ name: StaticString) -> Range<Int>? {
    for attribute in current.attributes[current.elements[index].attributes]
    where isText(attribute.name, name) {
      let value = trimmed(attribute.value)
      return value.isEmpty ? nil : value
    }
    return nil
  }

  // MARK: People

  mutating func finishPersonPart(_ tag: Tag, _ range: Range<Int>) {
    switch tag {
    case .name where person.name.isEmpty: person.name = range
    case .email where person.email.isEmpty: person.email = range
    case .uri where person.url.isEmpty, .url where person.url.isEmpty: person.url = resolved(range)
    default: break
    }
  }

  private mutating func finishPerson(_ text: Range<Int>) {
    if person.name.isEmpty { person.name = text }
    guard !person.name.isEmpty || !person.email.isEmpty || !person.url.isEmpty else { return }
    current.authors.append(person)
    if isInItem, !person.email.isEmpty || !person.url.isEmpty { notePerson(text) }
  }

  /// Notes a person of whom more than a name is known as an element, for plugins: `authors` holds
  /// names.
  private mutating func notePerson(_ text: Range<Int>) {
    let parts: [(StaticString, Range<Int>)] = [
      ("name", person.name), ("email", person.email), ("uri", person.url),
    ].filter { !$0.1.isEmpty }
    let first = current.elements.count
    guard first + parts.count < FeedBuilder.maximumElements else { return }
    noteElement("author", text, end: first + 1 + parts.count)
    for (name, range) in parts { noteElement(name, range, end: current.elements.count + 1) }
  }

  private mutating func noteElement(_ name: StaticString, _ text: Range<Int>, end: Int) {
    let start = current.bytes.count
    current.bytes.append(name)
    current.elements.append(
      Item.Element(
        name: start..<current.bytes.count, text: text, attributes: 0..<0, end: end))
  }

  /// An author's text; podcasts say the same one twice, the second time by `itunes:author`.
  private mutating func appendAuthor(_ range: Range<Int>, isOwn: Bool) {
    if !isOwn, !current.authors.isEmpty { return }
    current.authors.append(Item.Author(name: range, email: 0..<0, url: 0..<0))
  }

  // MARK: Times

  private mutating func setPublished(_ range: Range<Int>, rank: UInt8) {
    guard rank <= ranks.published, let time = time(range) else { return }
    current.published = time
    ranks.published = rank
  }

  private mutating func setUpdated(_ range: Range<Int>, rank: UInt8) {
    guard rank <= ranks.updated, let time = time(range) else { return }
    current.updated = time
    ranks.updated = rank
  }

  private mutating func time(_ range: Range<Int>) -> Timestamp? {
    guard !range.isEmpty else { return nil }
    let found = unsafe current.withBytes(range) { unsafe Timestamp.reading($0) }
    if let found, !found.isZoneUnknown { return found.time }
    damage.note(
      found == nil ? .badDates : .unknownZones, at: 0,
      detail: String(current.string(range).prefix(60)), item: placeOfItem)
    return found?.time
  }
}
