import Glibc

/// Tags and their attributes: what is open, what a tag closes, what is no tag.
extension MarkupRepair {
  mutating func endTag(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    let end = unsafe NameScan.end(input, from: start + 2)
    var past = end
    while past < input.count, unsafe ByteScan.isSpace(input[past]) { past += 1 }
    if past == input.count, !isLast { return nil }
    let isClosed = unsafe past < input.count && input[past] == 0x3E
    if end == start + 2 { return bareAngle(start, true) }
    if isInside { unsafe close(input, start + 2, end, at: start) }
    return isClosed ? past + 1 : past
  }

  /// Closes the element that the end tag names, and those left open inside of it.
  mutating func close(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, at place: Int
  ) {
    if unsafe isOpen(starts.count - 1, input, start, end) { return pop() }
    guard let level = unsafe level(input, start, end) else {
      return damage.note(.strayEndTags, at: offset + place)
    }
    damage.note(.missingEndTags, at: offset + place)
    while starts.count > level { pop() }
  }

  /// The level of the innermost open element with that name.
  func level(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
    var level = starts.count - 1
    let last = max(starts.count - MarkupRepair.maximumReach, 0)
    while level >= last {
      if unsafe isOpen(level, input, start, end) { return level }
      level -= 1
    }
    for anchor in anchors.suffix(MarkupRepair.maximumReach).reversed() where anchor < last {
      if unsafe isOpen(anchor, input, start, end) { return anchor }
    }
    return nil
  }

  static let plainFields = Set(
    ["title", "link", "guid", "pubDate", "comments", "id", "published", "updated", "category"].map {
      Array($0.utf8)
    })
  static let fields = plainFields.union(
    ["description", "enclosure", "author", "summary", "content"].map { Array($0.utf8) })

  /// Closes a text of an item, such as its title, when the next one begins inside of it, and a text
  /// of the feed when an item does.
  mutating func closeField(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    guard starts.count >= 2, let top = starts.last, containers[starts.count - 2] else { return }
    let open = names.copy(from: top)
    let isItem = unsafe isItem(input, start, end)
    guard isItem ? MarkupRepair.fields.contains(open) : MarkupRepair.plainFields.contains(open),
      unsafe isItem || MarkupRepair.fields.contains(Array(input[start..<end]))
    else { return }
    damage.note(.missingEndTags, at: offset + start)
    pop()
  }

  /// Closes the item that is open when another one begins.
  mutating func closeItem(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    guard unsafe isItem(input, start, end),
      let level = unsafe level(input, start, end)
    else { return }
    damage.note(.missingEndTags, at: offset + start)
    while starts.count > level { pop() }
  }

  /// Whether a name is `item` or `entry`, with or without a prefix.
  func isItem(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end - start >= 4 else { return false }
    let isItem = unsafe ByteScan.has("item", in: input, at: end - 4)
    let local = isItem ? end - 4 : end - 5
    guard local >= start, unsafe isItem || ByteScan.has("entry", in: input, at: local) else {
      return false
    }
    return unsafe local == start || input[local - 1] == 0x3A
  }

  /// Whether the element at that level has the name, in any case of letters.
  func isOpen(
    _ level: Int, _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Bool {
    guard level >= 0 else { return false }
    let first = starts[level]
    let last = level + 1 < starts.count ? starts[level + 1] : names.count
    guard last - first == end - start, let base = unsafe names.bytes.baseAddress,
      let other = input.baseAddress
    else { return false }
    if unsafe memcmp(base + first, other + start, end - start) == 0 { return true }
    for index in 0..<(end - start)
    where unsafe ByteScan.lower(base[first + index]) != ByteScan.lower(input[start + index]) {
      return false
    }
    return true
  }

  mutating func pop() {
    guard let start = starts.popLast() else { return }
    if starts.count < MarkupRepair.maximumDepth {
      texts.mark(in: output)
      output.append("</")
      unsafe output.append(names.bytes, start..<names.count)
      output.append(0x3E)
    }
    names.truncate(to: start)
    if anchors.last == starts.count { anchors.removeLast() }
    if starts.isEmpty { isComplete = true }
    containers.removeLast()
    isInContainer = containers.last ?? false
  }

  /// Whether the open element whose name lies there is an item, a feed or a channel.
  func isContainer(_ start: Int, _ end: Int) -> Bool {
    let all = unsafe UnsafeBufferPointer(rebasing: names.bytes[..<end])
    let colon = unsafe ByteScan.find(0x3A, in: all, from: start).map { $0 + 1 } ?? start
    switch end - colon {
    case 3:
      return unsafe ByteScan.has("rss", in: all, at: colon)
        || ByteScan.has("RDF", in: all, at: colon)
    case 4:
      return unsafe ByteScan.has("item", in: all, at: colon)
        || ByteScan.has("feed", in: all, at: colon)
    case 5: return unsafe ByteScan.has("entry", in: all, at: colon)
    case 7: return unsafe ByteScan.has("channel", in: all, at: colon)
    default: return false
    }
  }

  mutating func startTag(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    let end = unsafe NameScan.end(input, from: start + 1)
    if end == input.count { return unsafe unfinished(input, start, isLast) }
    if isComplete {
      damage.note(.trailingText, at: offset + start)
      return end
    }
    if root == nil, unsafe !isRoot(input, start + 1, end) {
      damage.note(.leadingText, at: offset + start)
      return end
    }
    unsafe closeItem(input, start + 1, end)
    if !isInContainer { unsafe closeField(input, start + 1, end) }
    let isDropped = unsafe isNew(input, start + 1, end)
    let isFlat = isDropped || starts.count >= MarkupRepair.maximumDepth
    if isFlat { damage.note(isDropped ? .tooManyNames : .nestedTooDeep, at: offset + start) }
    if !isFlat { texts.mark(in: output) }
    let mark = output.count
    unsafe output.append(input, start..<end)
    guard let (past, isEmpty) = unsafe attributes(input, end, isLast) else {
      output.truncate(to: mark)
      return unsafe unfinished(input, start, isLast)
    }
    if !isEmpty, !isDropped, starts.count < MarkupRepair.maximumMemory {
      let place = names.count
      starts.append(place)
      unsafe names.append(input, (start + 1)..<end)
      let isInside = isInContainer
      isInContainer = isContainer(place, names.count)
      if isInside || isInContainer { anchors.append(containers.count) }
      containers.append(isInContainer)
    }
    if isFlat { output.truncate(to: mark) }
    if isEmpty, starts.isEmpty { isComplete = true }
    return past
  }

  /// A tag that ends beyond the bytes at hand: waits for more, unless it is too long to be one.
  mutating func unfinished(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    if input.count - start > MarkupRepair.maximumTagBytes { return bareAngle(start, true) }
    return isLast ? input.count : nil
  }

  static let roots: Set<String> = [
    "rss", "feed", "rdf", "channel", "html", "entry", "item",
  ]

  mutating func isRoot(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Bool {
    let name = unsafe String(decoding: input[start..<end], as: UTF8.self)
    let local = name.split(separator: ":").last.map { $0.lowercased() } ?? ""
    guard MarkupRepair.roots.contains(local) else {
      rejectedRoot = rejectedRoot ?? name
      return false
    }
    root = local
    return true
  }

  /// Copies the attributes up to the tag's end, each in double quotes.
  ///
  /// - Returns: the place behind the tag and whether it is an empty element's; nil when the tag does
  ///   not end here.
  mutating func attributes(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> (past: Int, isEmpty: Bool)? {
    var at = start
    var count = 0
    while true {
      while at < input.count, unsafe ByteScan.isSpace(input[at]) { at += 1 }
      guard at < input.count else { return nil }
      let byte = unsafe input[at]
      if byte == 0x3E {
        output.append(0x3E)
        return (at + 1, false)
      }
      if byte == 0x2F {
        guard at + 1 < input.count else { return nil }
        if unsafe input[at + 1] == 0x3E {
          output.append("/>")
          return (at + 2, true)
        }
      }
      if byte == 0x3C {
        damage.note(.badAttributes, at: offset + at)
        output.append(0x3E)
        return (at, false)
      }
      guard unsafe NameScan.begins(input, at: at) else {
        damage.note(.badAttributes, at: offset + at)
        at += 1
        continue
      }
      let mark = output.count
      let name = at
      guard let past = unsafe attribute(input, at, isLast) else { return nil }
      at = past
      count += 1
      if unsafe count > MarkupRepair.maximumAttributes || isNewAttribute(input, name) {
        output.truncate(to: mark)
        damage.note(.badAttributes, at: offset + at)
      }
    }
  }

  /// Whether the parser does not know the name, or its prefix, and may learn no other.
  @inline(__always) func isNew(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Bool {
    guard let knownNames else { return false }
    return unsafe input[start..<end].split(separator: 0x3A, maxSplits: 1).contains { part in
      unsafe !knownNames.hasMet(UnsafeBufferPointer(rebasing: part))
    }
  }

  /// The same for an attribute; the namespaces that attributes declare are names too.
  @inline(__always) func isNewAttribute(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> Bool {
    guard knownNames != nil else { return false }
    return unsafe ByteScan.has("xmlns", in: input, at: start)
      || isNew(input, start, NameScan.end(input, from: start))
  }

  mutating func attribute(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    let end = unsafe NameScan.end(input, from: start)
    var at = end
    while at < input.count, unsafe ByteScan.isSpace(input[at]) { at += 1 }
    guard at < input.count else { return nil }
    output.append(0x20)
    unsafe output.append(input, start..<end)
    output.append("=\"")
    defer { output.append(0x22) }
    guard unsafe input[at] == 0x3D else {
      damage.note(.badAttributes, at: offset + start)
      return at
    }
    at += 1
    while at < input.count, unsafe ByteScan.isSpace(input[at]) { at += 1 }
    guard at < input.count else { return nil }
    let quote = unsafe input[at]
    if quote == 0x22 || quote == 0x27 { return unsafe value(input, at + 1, quote, isLast) }
    damage.note(.badAttributes, at: offset + start)
    return unsafe value(input, at, nil, isLast)
  }

  @inline(__always) static func isPlain(_ byte: UInt8, _ quote: UInt8) -> Bool {
    byte >= 0x20 && byte != quote && byte != 0x26 && byte != 0x3C && byte != 0x22 && byte != 0xEF
  }

  /// Whether U+FFFE or U+FFFF stands there, at which a parser stops.
  static func isNoCharacter(_ input: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
    unsafe at + 2 < input.count && input[at] == 0xEF && input[at + 1] == 0xBF
      && input[at + 2] >= 0xBE
  }

  /// Copies a value up to its quote; without a quote, up to white space or the tag's end.
  mutating func value(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ quote: UInt8?, _ isLast: Bool
  ) -> Int? {
    var at = start
    while at < input.count {
      if let quote {
        // What is neither the quote nor to be changed is copied in one piece.
        let run = at
        while at < input.count, unsafe MarkupRepair.isPlain(input[at], quote) { at += 1 }
        unsafe output.append(input, run..<at)
        guard at < input.count else { return nil }
      }
      let byte = unsafe input[at]
      if let quote {
        if byte == quote { return at + 1 }
      } else if ByteScan.isSpace(byte) || byte == 0x3E {
        return at
      }
      switch byte {
      case 0x26:
        guard let next = unsafe reference(input, at, isLast, .attribute) else { return nil }
        at = next
        continue
      case 0x3C: output.append("&lt;")
      case 0x22: output.append("&quot;")
      case 0xEF where unsafe MarkupRepair.isNoCharacter(input, at):
        damage.note(.controlCharacters, at: offset + at)
        at += 2
      default:
        if !ByteScan.isForbidden(byte) { output.append(byte) }
      }
      at += 1
    }
    return nil
  }
}
