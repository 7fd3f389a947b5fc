import Glibc
import StarlingModel

/// Decodes one document, from bytes in pieces to items as they come.
///
/// XML streams: besides one piece, memory holds the items of that piece. JSON is held whole.
/// Nothing is read but the bytes given: no file, no address, no clock.
///
///     let decoder = FeedDecoder(FeedOptions(url: url))
///     var item = Item()
///     for piece in pieces {
///       try decoder.append(piece)
///       while decoder.next(into: &item) { use(item) }
///     }
///     try decoder.finish()
///     while decoder.next(into: &item) { use(item) }
@safe package final class FeedDecoder {
  private enum Content { case unknown, xml, json }

  private let options: FeedOptions
  /// Behind a pointer because libxml2 hands it back with each event.
  private let builder: UnsafeMutablePointer<FeedBuilder>
  private var parser: XMLPushParser?
  private var repair = MarkupRepair()
  private var transcoder: Transcoder?
  private var content = Content.unknown
  private var isSniffed = false
  private var isFinished = false
  private var json = JSONText()
  /// The first bytes until the charset is known; then the tail of a cut UTF-8 sequence.
  private var held: [UInt8] = []
  private var scratch: [UInt8] = []
  private var head: [UInt8] = []
  private var received = 0
  /// How many bytes of UTF-8 have been made of the document, and where they stood in it.
  private var textCount = 0
  private var textOffsets = OffsetMap()
  /// Where what `repair` reads stood in that text.
  private var repairedOffsets = OffsetMap()
  private var ownDamage = DamageLog()
  private var jsonItems: JSONFeedReader?
  private var jsonHeader: FeedHeader?

  /// The document, for JSON, once it is finished.
  package private(set) var document: JSONDocument?

  /// How many bytes of the document are held until its end: all of JSON, none of XML.
  package private(set) var heldBytes = 0

  /// What is held of the document and the item at hand, in bytes. Of a whole JSON document it is the
  /// text; of XML, what the item that is being read and those that wait to be taken have.
  package var workBytes: Int {
    guard content == .xml else { return max(heldBytes, json.capacity) }
    return unsafe head.capacity + scratch.capacity + repair.pending.capacity
      + repair.output.capacity + repair.texts.bytes.capacity
      + builder.pointee.current.bytes.capacity + builder.pointee.header.bytes.capacity
      + builder.pointee.queue.heldBytes
  }

  /// Asked while damaged JSON is repaired; when it says true, the document is refused as it is.
  package var isStopped: () -> Bool = { false }

  /// Whether the document ended before it was complete.
  package private(set) var isCut = false

  package init(_ options: FeedOptions = FeedOptions()) {
    self.options = options
    unsafe builder = .allocate(capacity: 1)
    unsafe builder.initialize(to: FeedBuilder(options: options, texts: repair.texts))
  }

  deinit {
    parser = nil
    repair.knownNames = nil
    unsafe builder.deinitialize(count: 1)
    unsafe builder.deallocate()
  }

  /// What was wrong with the document so far, one of each kind.
  package var damage: [FeedDamage] {
    var all = ownDamage
    all.merge(repair.damage)
    unsafe all.merge(builder.pointee.damage)
    if let jsonItems { all.merge(jsonItems.damage) }
    return all.damages
  }

  package var header: FeedHeader {
    unsafe jsonHeader ?? builder.pointee.feedHeader()
  }

  /// Takes the next bytes; 64 KB at a time keep memory small.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
    received += bytes.count
    let piece = unsafe bytes.bindMemory(to: UInt8.self)
    if isSniffed { return try unsafe decode(piece, isLast: false) }
    unsafe held.append(contentsOf: piece)
    if held.count >= CharsetSniffer.windowBytes { try sniff(isWhole: false) }
  }

  package func append(_ bytes: [UInt8]) throws(FeedError) {
    unsafe try withBuffer(bytes) { piece throws(FeedError) in
      try unsafe append(UnsafeRawBufferPointer(piece))
    }
  }

  /// Ends the document. Call it once, after the last bytes.
  ///
  /// - Throws: `.empty`, `.html`, `.notAFeed` or, for JSON that gives nothing, `.json`.
  package func finish() throws(FeedError) {
    guard !isFinished else { return }
    isFinished = true
    if !isSniffed { try sniff(isWhole: true) }
    let before = unsafe (ownDamage, repair.damage, builder.pointee.damage)
    try unsafe decode(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    if repair.isCut {
      // What is wrong with the last bytes of a cut document is that it is cut.
      unsafe (ownDamage, repair.damage, builder.pointee.damage) = before
    }
    switch content {
    case .unknown: throw .empty
    case .json: try finishJSON()
    case .xml: try finishXML()
    }
  }

  /// Puts the next item into `item`, whose storage is used again; false when none is ready.
  package func next(into item: inout Item) -> Bool {
    if jsonItems != nil { return jsonItems?.next(into: &item) ?? false }
    return unsafe builder.pointee.queue.next(into: &item)
  }

  /// The next item; nil when none is ready.
  package func next() -> Item? {
    var item = Item()
    return next(into: &item) ? item : nil
  }

  // MARK: Charset

  private func sniff(isWhole: Bool) throws(FeedError) {
    isSniffed = true
    var first: [UInt8] = []
    swap(&first, &held)
    let verdict = try CharsetSniffer(options: options).verdict(first, isWhole: isWhole)
    if let label = verdict.disbelieved {
      ownDamage.note(.wrongCharset, at: 0, detail: label)
    }
    textOffsets.add(text: 0, source: verdict.skip)
    if !verdict.charset.isUTF8 {
      guard let made = Transcoder(verdict.charset, skipped: verdict.skip) else {
        throw .charset(verdict.charset.name)
      }
      transcoder = made
    }
    unsafe try withBuffer(first) { all throws(FeedError) in
      try unsafe decode(UnsafeBufferPointer(rebasing: all[verdict.skip...]), isLast: false)
    }
  }

  private func withBuffer(
    _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(FeedError) -> Void
  ) throws(FeedError) {
    var failure: FeedError?
    unsafe bytes.withUnsafeBufferPointer { all in
      do throws(FeedError) { try unsafe body(all) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Brings a piece to UTF-8 and hands it on.
  private func decode(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(FeedError) {
    if let transcoder {
      scratch.removeAll(keepingCapacity: true)
      let before = transcoder.replaced
      unsafe transcoder.convert(piece, isLast: isLast, to: &scratch)
      if transcoder.replaced > before {
        ownDamage.note(
          .replacedBytes, at: transcoder.firstReplaced, count: transcoder.replaced - before)
      }
    } else if held.isEmpty {
      let tail = isLast ? 0 : unsafe UTF8Validation.incompleteTail(piece)
      let whole = unsafe UnsafeBufferPointer(rebasing: piece[..<(piece.count - tail)])
      if unsafe UTF8Validation.isValid(whole) {
        unsafe held.append(contentsOf: piece[whole.count...])
        return try unsafe handle(whole, isLast: isLast)
      }
      unsafe repairUTF8(piece, isLast: isLast)
    } else {
      unsafe repairUTF8(piece, isLast: isLast)
    }
    var text: [UInt8] = []
    swap(&text, &scratch)
    defer { swap(&text, &scratch) }
    unsafe try withBuffer(text) { all throws(FeedError) in try unsafe handle(all, isLast: isLast) }
  }

  /// Copies a piece, behind what the last one left over, with U+FFFD for bytes that are no UTF-8.
  private func repairUTF8(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    var input: [UInt8] = []
    swap(&input, &held)
    unsafe input.append(contentsOf: piece)
    scratch.removeAll(keepingCapacity: true)
    let start = received - input.count
    let (replaced, tail) = unsafe input.withUnsafeBufferPointer { all in
      let tail = isLast ? 0 : unsafe UTF8Validation.incompleteTail(all)
      let whole = unsafe UnsafeBufferPointer(rebasing: all[..<(all.count - tail)])
      if unsafe UTF8Validation.isValid(whole) {
        unsafe scratch.append(contentsOf: whole)
        return ((count: 0, first: 0), tail)
      }
      let count = textCount
      let replaced = unsafe UTF8Validation.copyRepaired(whole, to: &scratch) { place, copied in
        textOffsets.add(text: count + copied, source: start + place)
      }
      return (replaced, tail)
    }
    if replaced.count > 0 {
      ownDamage.note(.replacedBytes, at: max(start, 0) + replaced.first, count: replaced.count)
    }
    held.append(contentsOf: input.suffix(tail))
  }

  // MARK: Content

  private func handle(_ text: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(FeedError) {
    defer { textCount += text.count }
    if content == .unknown { try unsafe recognize(text) }
    switch content {
    case .unknown: break
    case .json:
      if json.count == 0, unsafe text.first == 0xEF {
        // A second byte order mark; places stay what they are.
        let blanks = [UInt8](repeating: 0x20, count: unsafe FeedDecoder.beginning(of: text))
        unsafe try withBuffer(blanks) { all throws(FeedError) in try unsafe json.append(all) }
        unsafe try json.append(UnsafeBufferPointer(rebasing: text[blanks.count...]))
      } else {
        try unsafe json.append(text)
      }
      heldBytes = json.count
    case .xml:
      let target = repair.offset + repair.pending.count
      let repaired = unsafe ControlRepair.repaired(
        text, offsets: &repairedOffsets, from: textCount, to: target)
      guard let repaired else {
        return unsafe parse(text, isLast: isLast)
      }
      unsafe try withBuffer(repaired) { all throws(FeedError) in unsafe parse(all, isLast: isLast) }
    }
  }

  /// The first character that is no white space decides: `{`, `[`, a quote or a digit begin JSON.
  private func recognize(_ text: UnsafeBufferPointer<UInt8>) throws(FeedError) {
    let start = unsafe FeedDecoder.beginning(of: text)
    guard start < text.count else { return }
    switch unsafe text[start] {
    case 0x7B, 0x5B: content = .json
    default:
      content = .xml
      parser = unsafe try XMLPushParser(builder: builder)
    }
  }

  /// Where a text begins: behind white space and byte order marks.
  private static func beginning(of text: UnsafeBufferPointer<UInt8>) -> Int {
    var at = 0
    while at < text.count {
      if unsafe ByteScan.isSpace(text[at]) || text[at] == 0 {
        at += 1
      } else if unsafe ByteScan.has("\u{FEFF}", in: text, at: at) {
        at += 3
      } else {
        break
      }
    }
    return at
  }

  private func parse(_ text: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    if repair.root == nil || repair.root == "html", head.count < 1 << 20 {
      unsafe head.append(contentsOf: text)
    }
    let known = repair.damage.damages.count
    unsafe repair.push(text, isLast: isLast)
    repair.damage.relocate(from: known) { source(of: $0) }
    repairedOffsets.drop(before: repair.offset)
    textOffsets.drop(before: repairedOffsets.source(of: repair.offset))
    if repair.root != "html" {
      if repair.root != nil { head.removeAll() }
      unsafe hand(repair.output.bytes, isLast: isLast)
      if repair.knownNames == nil, let parser, parser.nameCount > MarkupRepair.maximumNames {
        repair.knownNames = parser
      }
      if parser?.isStuck == true { ownDamage.note(.refusedMarkup, at: source(of: repair.offset)) }
    }
    repair.output.truncate(to: 0)
    repair.texts.forget(all: repair.root == "html")
  }

  /// Hands repaired markup on. The builder is told before the end tags come that a cut document lacks.
  private func hand(_ markup: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    guard isLast, repair.isCut else {
      unsafe parser?.parse(markup, isLast: isLast)
      return
    }
    let end = min(repair.endOfGiven, markup.count)
    unsafe parser?.parse(UnsafeBufferPointer(rebasing: markup[..<end]), isLast: false)
    unsafe builder.pointee.isCut = true
    unsafe parser?.parse(UnsafeBufferPointer(rebasing: markup[end...]), isLast: true)
  }

  /// The byte of the document that a byte of what `repair` reads came from.
  private func source(of place: Int) -> Int {
    source(ofText: repairedOffsets.source(of: place))
  }

  /// The byte of the document that a byte of its UTF-8 came from.
  private func source(ofText place: Int) -> Int {
    min(transcoder?.source(of: place) ?? textOffsets.source(of: place), received)
  }

  // MARK: The end

  private func finishXML() throws(FeedError) {
    parser = nil
    unsafe builder.pointee.finish()
    guard let root = repair.root, root != "html" else {
      if received == 0 { throw .empty }
      if HTMLPage.isPage(head, root: repair.rejectedRoot) {
        throw .html(feeds: HTMLPage.feedLinks(head, base: options.url))
      }
      throw .notAFeed(FeedDecoder.beginning(head, repair.rejectedRoot))
    }
    if repair.isCut {
      isCut = true
      let lost = unsafe builder.pointee.cutElement.map { "inside of \($0), which is left out" }
      ownDamage.note(.cut, at: received, detail: lost ?? "")
    }
  }

  private static func beginning(_ head: [UInt8], _ root: String?) -> String {
    if let root { return "its root element is <\(root.prefix(40))>" }
    let text = String(decoding: head.prefix(400), as: UTF8.self).trimmed.prefix(40)
    return "it begins with \"\(text.filter { !$0.isNewline })\""
  }

  private func finishJSON() throws(FeedError) {
    let parsed = try parsedJSON()
    document = parsed.document
    isCut = parsed.damage.contains { $0.kind == .cut }
    for damage in parsed.damage {
      let place = damage.kind == .cut ? received : damage.offset
      ownDamage.note(damage.kind, at: place, detail: damage.detail)
    }
    if JSONFeedReader.accepts(parsed.document) {
      let reader = JSONFeedReader(document: parsed.document, isCut: isCut, options: options)
      jsonHeader = reader.header
      jsonItems = reader
    } else {
      var header = FeedHeader()
      header.format = .json
      header.url = options.url
      jsonHeader = header
    }
  }

  private func parsedJSON() throws(FeedError) -> (document: JSONDocument, damage: [FeedDamage]) {
    let text = json
    json = JSONText()
    return try JSONRepair.document(text, isStopped: isStopped) { place in
      guard let transcoder else { return source(ofText: place) }
      return min(unsafe transcoder.source(of: place, in: text.bytes), received)
    }
  }
}
