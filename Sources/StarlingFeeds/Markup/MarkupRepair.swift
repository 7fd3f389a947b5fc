/// Turns the XML that publishers send into XML that a parser takes, piece by piece.
///
/// In go pieces of valid UTF-8; out comes a document without declaration, comments, processing
/// instructions and document type, in which every tag is closed, every attribute quoted and every
/// reference one of XML's own five. No parser behind it meets an entity declaration, so none can
/// be made to read a file or to grow.
///
/// Rules for what is not well-formed:
/// - Text before the first element that can be a feed's root is left out, also tags (PHP warnings).
/// - An end tag closes the elements above its own; one without a start is left out.
/// - Items do not nest: one that begins closes the one that is open; nor do the texts of one, such as
///   `title` and `link`.
/// - `&` that begins no known reference and `<` that begins no tag are text.
/// - Control characters that XML forbids are left out.
/// - The entities of an internal subset are replaced once, as text; entities in their values are
///   not; all that they add is limited.
/// - Elements deeper than 200 lose their tags, not their text.
struct MarkupRepair {
  private enum Mode { case text, cdata, comment, instruction, doctype }

  static let maximumDepth = 200
  /// Elements deeper than this are not even remembered.
  private static let maximumMemory = 10_000
  /// How many open elements an end tag may close at once.
  private static let maximumReach = 256
  /// A tag longer than this is taken as text.
  static let maximumTagBytes = 1 << 20
  /// More attributes than this in one tag are left out: libxml2 compares each with all others.
  static let maximumAttributes = 500
  /// What declared entities may add to one document.
  static let maximumEntityBytes = 1 << 20

  /// What the parser is to read next; the caller empties it.
  var output: [UInt8] = []
  private(set) var damage = DamageLog()
  /// The name of the root element, once it has been met.
  private(set) var root: String?
  /// The first name of an element that can be no root, if one came before the root.
  private(set) var rejectedRoot: String?
  /// Whether the root element has been closed by its own tag.
  private(set) var isComplete = false
  /// Whether the document ended with open elements.
  private(set) var isCut = false

  private var mode = Mode.text
  private var pending: [UInt8] = []
  /// How many bytes came before `pending`.
  private var offset = 0
  /// The names of the open elements, one after the other, and where each begins.
  private var names: [UInt8] = []
  private var starts: [Int] = []
  /// Whether the innermost open element is one whose text nobody reads.
  private var isInContainer = false
  private var entities: [[UInt8]: [UInt8]] = [:]
  private var entityBytes = 0

  /// Takes a piece; with `isLast`, closes what is open.
  mutating func push(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    if pending.isEmpty {
      let used = unsafe run(piece, isLast: isLast)
      unsafe pending.append(contentsOf: piece[used...])
      offset += used
    } else {
      var input: [UInt8] = []
      swap(&input, &pending)
      unsafe input.append(contentsOf: piece)
      let used = unsafe input.withUnsafeBufferPointer { unsafe run($0, isLast: isLast) }
      input.removeSubrange(..<used)
      swap(&input, &pending)
      offset += used
    }
    if isLast { finish() }
  }

  private mutating func finish() {
    pending.removeAll()
    if mode == .cdata, root != nil { output.append("]]>") }
    isCut = root != nil && !isComplete
    if isCut {
      while !starts.isEmpty { pop() }
      isComplete = false  // it was us who closed the root
    }
  }

  /// Reads as far as it can.
  ///
  /// - Returns: how many bytes it needs no more.
  private mutating func run(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
    var at = 0
    while at < input.count {
      let next: Int? =
        switch mode {
        case .text: unsafe text(input, at, isLast)
        case .cdata: unsafe cdata(input, at, isLast)
        case .comment: unsafe skip(input, at, "-->")
        case .instruction: unsafe skip(input, at, "?>")
        case .doctype: unsafe doctype(input, at, isLast)
        }
      guard let next else { break }
      at = next
    }
    return at
  }

  private var isInside: Bool { root != nil && !isComplete }

  // MARK: Text

  private mutating func text(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    if unsafe input[start] == 0x3C { return unsafe markup(input, start, isLast) }
    let end = unsafe ByteScan.find(0x3C, in: input, from: start) ?? input.count
    guard isInside else {
      unsafe noteOutside(input, start, end)
      return end
    }
    // No feed has text between an item's elements; the parser is spared the white space.
    if isInContainer { return end }
    return unsafe copyText(input, start, end, isLast)
  }

  private mutating func noteOutside(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ stop: Int
  ) {
    guard unsafe input[start..<stop].contains(where: { !ByteScan.isSpace($0) }) else { return }
    damage.note(isComplete ? .trailingText : .leadingText, at: offset + start)
  }

  /// Copies a run of text as a CDATA section, its references decoded: libxml2 then looks at it once
  /// and hands it on in one piece.
  private mutating func copyText(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ isLast: Bool
  ) -> Int? {
    let run = unsafe UnsafeBufferPointer(rebasing: input[..<end])
    output.append("<![CDATA[")
    let mark = output.count
    var at = start
    while at < end {
      let stop = unsafe ByteScan.markup(run, from: at)
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: run[at..<stop]))
      at = stop
      guard at < end else { break }
      if unsafe run[at] == 0x26 {
        guard let next = unsafe reference(input, at, isLast, .text) else { break }
        at = next
      } else {
        damage.note(.controlCharacters, at: offset + at)
        at += 1
      }
    }
    if output.count == mark {
      output.removeLast(9)
      return at > start ? at : nil
    }
    splitSectionEnds(from: mark)
    output.append("]]>")
    return at
  }

  /// A `]]>` in text would end its section: it is written as the ends of two.
  private mutating func splitSectionEnds(from mark: Int) {
    let isNeeded = unsafe output.withUnsafeBufferPointer {
      unsafe ByteScan.find("]]>", in: $0, from: mark) != nil
    }
    guard isNeeded else { return }
    let text = Array(output[mark...])
    output.removeSubrange(mark...)
    unsafe text.withUnsafeBufferPointer { text in
      var at = 0
      while let found = unsafe ByteScan.find("]]>", in: text, from: at) {
        unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[at..<(found + 2)]))
        output.append("]]><![CDATA[")
        at = found + 2
      }
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[at...]))
    }
  }

  private enum Place { case text, attribute }

  /// A reference in text or in an attribute's value.
  private mutating func reference(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool, _ place: Place
  ) -> Int? {
    let limit = min(input.count, start + 40)
    var end = start + 1
    while end < limit, unsafe ByteScan.isName(input[end]) || input[end] == 0x23 { end += 1 }
    if end == input.count, end < start + 40, !isLast { return nil }
    if end < input.count, unsafe input[end] == 0x3B, end > start + 1,
      unsafe resolve(input, start + 1, end, place)
    {
      return end + 1
    }
    append("&", place)
    damage.note(.bareAmpersands, at: offset + start)
    return start + 1
  }

  private mutating func resolve(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ place: Place
  ) -> Bool {
    if unsafe input[start] == 0x23 {
      guard let (value, past) = unsafe Entities.number(input, from: start), past == end + 1
      else { return false }
      if let scalar = Entities.scalar(number: value) {
        append(scalar, place)
      } else {
        damage.note(.controlCharacters, at: offset + start)
      }
      return true
    }
    if let scalar = unsafe predefined(input, start, end) {
      append(scalar, place)
      return true
    }
    if !entities.isEmpty, let value = unsafe entities[Array(input[start..<end])] {
      expand(value, at: start, place)
      return true
    }
    let name = unsafe UnsafeBufferPointer(rebasing: input[start..<end])
    guard let scalar = unsafe Entities.scalar(name) else { return false }
    append(scalar, place)
    return true
  }

  private func predefined(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Unicode.Scalar? {
    switch end - start {
    case 2:
      guard unsafe input[start + 1] == 0x74 else { return nil }
      return unsafe input[start] == 0x6C ? "<" : input[start] == 0x67 ? ">" : nil
    case 3: return unsafe ByteScan.has("amp", in: input, at: start) ? "&" : nil
    case 4:
      if unsafe ByteScan.has("quot", in: input, at: start) { return "\"" }
      return unsafe ByteScan.has("apos", in: input, at: start) ? "'" : nil
    default: return nil
    }
  }

  private mutating func expand(_ value: [UInt8], at start: Int, _ place: Place) {
    entityBytes += value.count
    if entityBytes > MarkupRepair.maximumEntityBytes {
      damage.note(.entityLimit, at: offset + start)
    } else if place == .text {
      output.append(contentsOf: value)
    } else {
      for byte in value { append(Unicode.Scalar(byte), place, byte: byte) }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ place: Place, byte: UInt8? = nil) {
    if place == .attribute {
      switch scalar {
      case "&": return output.append("&amp;")
      case "<": return output.append("&lt;")
      case "\"": return output.append("&quot;")
      case "\r": return output.append("&#13;")
      case "\n": return output.append("&#10;")
      case "\t": return output.append("&#9;")
      default: break
      }
    }
    if let byte { output.append(byte) } else { output.append(scalar: scalar) }
  }

  // MARK: Markup

  private mutating func markup(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    guard start + 1 < input.count else { return bareAngle(start, isLast) }
    let next = unsafe input[start + 1]
    if next == 0x2F { return unsafe endTag(input, start, isLast) }
    if ByteScan.isNameStart(next) { return unsafe startTag(input, start, isLast) }
    if next == 0x3F {
      mode = .instruction
      return start + 2
    }
    guard next == 0x21 else { return bareAngle(start, true) }
    if unsafe ByteScan.has("<!--", in: input, at: start) {
      mode = .comment
      return start + 4
    }
    if unsafe ByteScan.has("<![CDATA[", in: input, at: start) {
      mode = .cdata
      if isInside { output.append("<![CDATA[") }
      return start + 9
    }
    if input.count - start < 9, !isLast { return nil }
    if unsafe input[start + 2] | 0x20 == 0x64 {
      mode = .doctype
      return start
    }
    return bareAngle(start, true)
  }

  private mutating func bareAngle(_ start: Int, _ isKnown: Bool) -> Int? {
    guard isKnown else { return nil }
    if isInside {
      output.append("&lt;")
      damage.note(.bareAngles, at: offset + start)
    }
    return start + 1
  }

  private mutating func skip(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: StaticString
  ) -> Int? {
    guard let found = unsafe ByteScan.find(end, in: input, from: start) else {
      return max(start, input.count - end.utf8CodeUnitCount + 1) > start
        ? input.count - end.utf8CodeUnitCount + 1 : nil
    }
    mode = .text
    return found + end.utf8CodeUnitCount
  }

  private mutating func cdata(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    let found = unsafe ByteScan.find("]]>", in: input, from: start)
    let end = found ?? (isLast ? input.count : input.count - 2)
    guard end > start || found != nil else { return nil }
    if isInside { unsafe copyData(input, start, end) }
    guard found != nil else { return end }
    mode = .text
    if isInside { output.append("]]>") }
    return end + 3
  }

  private mutating func copyData(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    var at = start
    while at < end {
      let stop = unsafe ByteScan.control(input, from: at, to: end)
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: input[at..<stop]))
      if stop < end { damage.note(.controlCharacters, at: offset + stop) }
      at = stop + 1
    }
  }

  // MARK: Tags

  private mutating func endTag(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    var end = start + 2
    while end < input.count, unsafe ByteScan.isName(input[end]) { end += 1 }
    var past = end
    while past < input.count, unsafe ByteScan.isSpace(input[past]) { past += 1 }
    if past == input.count, !isLast { return nil }
    let isClosed = unsafe past < input.count && input[past] == 0x3E
    if end == start + 2 { return bareAngle(start, true) }
    if isInside { unsafe close(input, start + 2, end, at: start) }
    return isClosed ? past + 1 : past
  }

  /// Closes the element that the end tag names, and those left open inside of it.
  private mutating func close(
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
  private func level(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
    var level = starts.count - 1
    let last = max(starts.count - MarkupRepair.maximumReach, 0)
    while level >= last {
      if unsafe isOpen(level, input, start, end) { return level }
      level -= 1
    }
    return nil
  }

  private static let plainFields = Set(
    ["title", "link", "guid", "pubDate", "comments", "id", "published", "updated", "category"].map {
      Array($0.utf8)
    })
  private static let fields = plainFields.union(
    ["description", "enclosure", "author", "summary", "content"].map { Array($0.utf8) })

  /// Closes a text of an item, such as its title, when the next one begins inside of it.
  private mutating func closeField(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    guard starts.count >= 2, let top = starts.last,
      isContainer(names[starts[starts.count - 2]..<top]),
      MarkupRepair.plainFields.contains(Array(names[top...])),
      unsafe MarkupRepair.fields.contains(Array(input[start..<end]))
    else { return }
    damage.note(.missingEndTags, at: offset + start)
    pop()
  }

  private static let items = ["item", "entry"].map { Array($0.utf8) }

  /// Closes the item that is open when another one begins.
  private mutating func closeItem(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    let colon = unsafe input[start..<end].lastIndex(of: 0x3A).map { $0 + 1 } ?? start
    guard end - colon == 4 || end - colon == 5,
      MarkupRepair.items.contains(where: { unsafe $0.elementsEqual(input[colon..<end]) }),
      let level = unsafe level(input, start, end)
    else { return }
    damage.note(.missingEndTags, at: offset + start)
    while starts.count > level { pop() }
  }

  /// Whether the element at that level has the name, in any case of letters.
  private func isOpen(
    _ level: Int, _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Bool {
    guard level >= 0 else { return false }
    let first = starts[level]
    let last = level + 1 < starts.count ? starts[level + 1] : names.count
    guard last - first == end - start else { return false }
    for index in 0..<(end - start)
    where unsafe ByteScan.lower(names[first + index]) != ByteScan.lower(input[start + index]) {
      return false
    }
    return true
  }

  private mutating func pop() {
    guard let start = starts.popLast() else { return }
    if starts.count < MarkupRepair.maximumDepth {
      output.append("</")
      output.append(contentsOf: names[start...])
      output.append(0x3E)
    }
    names.removeSubrange(start...)
    if starts.isEmpty { isComplete = true }
    lookAtTop()
  }

  private static let containers = ["item", "entry", "channel", "feed", "rss", "RDF"].map {
    Array($0.utf8)
  }

  private mutating func lookAtTop() {
    isInContainer = starts.last.map { isContainer(names[$0...]) } ?? false
  }

  private func isContainer(_ name: ArraySlice<UInt8>) -> Bool {
    let colon = name.firstIndex(of: 0x3A).map { $0 + 1 } ?? name.startIndex
    guard (3...7).contains(name.endIndex - colon) else { return false }
    return MarkupRepair.containers.contains { name[colon...].elementsEqual($0) }
  }

  private mutating func startTag(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    var end = start + 1
    while end < input.count, unsafe ByteScan.isName(input[end]) { end += 1 }
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
    let isFlat = starts.count >= MarkupRepair.maximumDepth
    if isFlat { damage.note(.nestedTooDeep, at: offset + start) }
    let mark = output.count
    unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: input[start..<end]))
    guard let (past, isEmpty) = unsafe attributes(input, end, isLast) else {
      output.removeSubrange(mark...)
      return unsafe unfinished(input, start, isLast)
    }
    if !isEmpty, starts.count < MarkupRepair.maximumMemory {
      starts.append(names.count)
      unsafe names.append(contentsOf: UnsafeBufferPointer(rebasing: input[(start + 1)..<end]))
      lookAtTop()
    }
    if isFlat { output.removeSubrange(mark...) }
    if isEmpty, starts.isEmpty { isComplete = true }
    return past
  }

  /// A tag that ends beyond the bytes at hand: waits for more, unless it is too long to be one.
  private mutating func unfinished(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    if input.count - start > MarkupRepair.maximumTagBytes { return bareAngle(start, true) }
    return isLast ? input.count : nil
  }

  private static let roots: Set<String> = [
    "rss", "feed", "rdf", "channel", "html", "entry", "item",
  ]

  private mutating func isRoot(
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
  private mutating func attributes(
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
      guard ByteScan.isNameStart(byte) else {
        damage.note(.badAttributes, at: offset + at)
        at += 1
        continue
      }
      let mark = output.count
      guard let past = unsafe attribute(input, at, isLast) else { return nil }
      at = past
      count += 1
      if count > MarkupRepair.maximumAttributes {
        output.removeSubrange(mark...)
        damage.note(.badAttributes, at: offset + at)
      }
    }
  }

  private mutating func attribute(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    var end = start
    while end < input.count, unsafe ByteScan.isName(input[end]) { end += 1 }
    var at = end
    while at < input.count, unsafe ByteScan.isSpace(input[at]) { at += 1 }
    guard at < input.count else { return nil }
    output.append(0x20)
    unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: input[start..<end]))
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

  /// Copies a value up to its quote; without a quote, up to white space or the tag's end.
  private mutating func value(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ quote: UInt8?, _ isLast: Bool
  ) -> Int? {
    var at = start
    while at < input.count {
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
      default:
        if !ByteScan.isForbidden(byte) { output.append(byte) }
      }
      at += 1
    }
    return nil
  }

  // MARK: Document type

  /// Skips a document type and keeps the simple entities of its internal subset.
  private mutating func doctype(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    guard let end = unsafe doctypeEnd(input, start) else {
      guard isLast || input.count - start > MarkupRepair.maximumTagBytes else { return nil }
      mode = .text
      return start + 2
    }
    unsafe declareEntities(UnsafeBufferPointer(rebasing: input[start..<end]))
    mode = .text
    return end
  }

  private func doctypeEnd(_ input: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var quote: UInt8 = 0
    var isInSubset = false
    var at = start
    while at < input.count {
      let byte = unsafe input[at]
      at += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x5B: isInSubset = true
      case 0x5D: isInSubset = false
      case 0x3E where !isInSubset: return at
      case 0x3C where unsafe ByteScan.has("<!--", in: input, at: at - 1):
        guard let end = unsafe ByteScan.find("-->", in: input, from: at) else { return nil }
        at = end + 3
      default: break
      }
    }
    return nil
  }

  private mutating func declareEntities(_ input: UnsafeBufferPointer<UInt8>) {
    var at = 0
    while let found = unsafe ByteScan.find("<!ENTITY", in: input, from: at), entities.count < 1000 {
      at = found + 8
      unsafe skipSpace(input, &at)
      let nameStart = at
      while at < input.count, unsafe ByteScan.isName(input[at]) { at += 1 }
      let name = unsafe Array(input[nameStart..<at])
      unsafe skipSpace(input, &at)
      guard !name.isEmpty, at < input.count, unsafe input[at] == 0x22 || input[at] == 0x27,
        let end = unsafe input[(at + 1)...].firstIndex(of: input[at])
      else { continue }
      let value = unsafe Array(input[(at + 1)..<end])
      if entities[name] == nil { entities[name] = MarkupRepair.decoded(value) }
      at = end + 1
    }
  }

  private func skipSpace(_ input: UnsafeBufferPointer<UInt8>, _ at: inout Int) {
    while at < input.count, unsafe ByteScan.isSpace(input[at]) { at += 1 }
  }

  /// An entity's value as text: references decoded once, entities of the subset not at all.
  private static func decoded(_ value: [UInt8]) -> [UInt8] {
    var repair = MarkupRepair()
    unsafe value.withUnsafeBufferPointer { input in
      var at = 0
      while at < input.count {
        if unsafe input[at] == 0x26, let next = unsafe repair.reference(input, at, true, .text) {
          at = next
        } else {
          unsafe repair.output.append(input[at])
          at += 1
        }
      }
    }
    return repair.output
  }
}
