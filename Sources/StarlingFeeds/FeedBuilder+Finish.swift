import StarlingModel

extension FeedBuilder {
  /// Fills in what the item leaves out, queues it and makes the header the item at hand again.
  mutating func finishItem() {
    guard isInItem else { return }
    isInItem = false
    itemCount += 1
    current.place = itemCount
    inheritAuthors()
    if format == .atom { current.takeAddressFromId() }
    // What would be made of half an item is not what the whole one will be called.
    if !isCut || !current[.url].isEmpty { FeedBuilder.complete(&current) }
    queue.append(&current)
    swap(&current, &header)
    swap(&ranks, &headerRanks)
  }

  /// An Atom entry without authors has those of its feed (RFC 4287, 4.2.1).
  private mutating func inheritAuthors() {
    guard format == .atom, current.authors.isEmpty else { return }
    for author in header.authors {
      let parts = [author.name, author.email, author.url].map { part in
        let start = current.bytes.count
        current.bytes.append(contentsOf: header.bytes[part])
        return start..<current.bytes.count
      }
      current.authors.append(Item.Author(name: parts[0], email: parts[1], url: parts[2]))
    }
  }

  /// Gives an item an id when it has none.
  static func complete(_ item: inout Item) {
    guard item[.id].isEmpty else { return }
    if !item[.url].isEmpty {
      item[.id] = item[.url]
      return
    }
    var parts = [item.bytes[item[.title]]]
    if item[.title].isEmpty || item.published == nil {
      parts += [item.bytes[item[.summary]], item.bytes[item[.content]]]
    }
    parts.append(Array(String(item.published?.secondsSinceEpoch ?? 0).utf8)[...])
    let id = ItemIdentity.made(of: parts)
    let start = item.bytes.count
    item.bytes.append(contentsOf: id.utf8)
    item[.id] = start..<item.bytes.count
  }

  /// Ends the document: an item that is still open is given as far as it goes.
  mutating func finish() {
    while !frames.isEmpty { end() }
    if isInItem { finishItem() }
  }

  /// What the feed says about itself so far.
  func feedHeader() -> FeedHeader {
    let own = isInItem ? header : current
    var result = FeedHeader()
    result.format = format
    result.title = own.string(.title)
    result.link = own.string(.url)
    result.id = own.string(.id)
    result.url = options.url
    result.image = own.string(.image)
    result.language = language
    result.generator = generator
    result.site =
      options.url.flatMap { URLReference.host($0) }
      ?? result.link.flatMap { URLReference.host($0) } ?? ""
    return result
  }
}
