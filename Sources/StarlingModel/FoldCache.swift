/// The folded texts of one entity, made when a matcher first asks and kept for the next ones.
///
/// One cache serves a whole load: `begin()` before each entity empties it and keeps its storage.
package struct FoldCache: Sendable {
  /// Where a field's fold lies.
  struct Entry {
    /// The entity that it was made for.
    var stamp: UInt64 = 0
    var start = 0
    var end = 0
    /// How often it was searched; the pair filter pays from the third search on.
    var searches = 0
    var hasFilter = false
  }

  /// Ends each element of a list; no UTF-8 has this byte, so no needle reaches across.
  static let separator: UInt8 = 0xFF
  /// Words of 64 bits in a field's pair filter.
  static let filterWords = 16
  private static let searchesBeforeFilter = 2

  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []
  private var filters: [UInt64] = []
  private var used = 0
  private var stamp: UInt64 = 1

  package init() {}

  /// Forgets the entity before; call it once for each entity.
  package mutating func begin() {
    used = 0
    stamp += 1
  }

  /// Folds a field of the record if that is still to do. The range lies in `bytes`; elements of a
  /// list follow one another, each with a separator after it.
  ///
  /// - Returns: false when the field has no text.
  @inline(__always)
  mutating func prepare(_ field: Int, of record: borrowing EntityRecord) -> Bool {
    if field < entries.count, entries[field].stamp == stamp {
      return entries[field].start >= 0
    }
    return fold(field, of: record)
  }

  private mutating func fold(_ field: Int, of record: borrowing EntityRecord) -> Bool {
    while entries.count <= field {
      entries.append(Entry())
      filters.append(contentsOf: repeatElement(0, count: FoldCache.filterWords))
    }
    entries[field] = Entry(stamp: stamp, start: used)
    switch record.slots[field] {
    case .text(let range): append(range, of: record)
    case .money(let place): append(record.moneys[place].text, of: record)
    case .list(let elements):
      for range in record.items[elements] {
        append(range, of: record)
        bytes[used] = FoldCache.separator
        used += 1
      }
    default:
      entries[field].start = -1
      return false
    }
    entries[field].end = used
    return true
  }

  private mutating func append(_ range: Range<Int>, of record: borrowing EntityRecord) {
    let needed = used + TextFold.capacity(for: range.count) + 1
    if bytes.count < needed {
      bytes.append(contentsOf: repeatElement(0, count: max(needed, 512) * 2 - bytes.count))
    }
    used = FoldCache.fold(record.bytes.span.extracting(range), into: &bytes, at: used)
  }

  private static func fold(
    _ source: Span<UInt8>, into bytes: inout [UInt8], at start: Int
  ) -> Int {
    var target = bytes.mutableSpan
    return TextFold.fold(source, into: &target, at: start)
  }

  /// Whether the field's fold may hold the needle; false is sure.
  @inline(__always)
  mutating func mayHold(_ needle: Needle, field: Int) -> Bool {
    if !entries[field].hasFilter {
      entries[field].searches += 1
      guard entries[field].searches > FoldCache.searchesBeforeFilter else { return true }
      makeFilter(field)
    }
    let base = field * FoldCache.filterWords
    for lane in 0..<4 {
      let bit = Int(needle.pairs[lane])
      if filters[base + bit >> 6] >> UInt64(bit & 63) & 1 == 0 { return false }
    }
    return true
  }

  private mutating func makeFilter(_ field: Int) {
    let base = field * FoldCache.filterWords
    for word in 0..<FoldCache.filterWords { filters[base + word] = 0 }
    // A needle of one byte has no pair: it asks for bit 0.
    filters[base] = 1
    entries[field].hasFilter = true
    let range = entries[field].start..<entries[field].end
    guard var before = range.first.map({ bytes[$0] }) else { return }
    for index in range.dropFirst() {
      let byte = bytes[index]
      let bit = Int(Needle.pair(before, byte))
      filters[base + bit >> 6] |= 1 << UInt64(bit & 63)
      before = byte
    }
  }
}

/// A folded text to look for: a range of the matcher's needle bytes and what finds it quickly.
struct Needle: Sendable {
  var start: Int
  var count: Int
  /// Its rarest byte; see `TextSearch.anchor`.
  var anchor: Int
  /// The filter bits of up to four of its pairs of neighboring bytes; 0 where there are fewer.
  var pairs: SIMD4<UInt16>

  init(_ bytes: Span<UInt8>, start: Int) {
    self.start = start
    count = bytes.count
    anchor = TextSearch.anchor(of: bytes)
    pairs = SIMD4(repeating: 0)
    let last = bytes.count - 1
    guard last > 0 else { return }
    for lane in 0..<4 {
      let index = lane * (last - 1) / 3
      pairs[lane] = Needle.pair(bytes[index], bytes[index + 1])
    }
  }

  /// The filter bit (0 to 1023) of two neighboring bytes.
  @inline(__always)
  static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 {
    let hash = (UInt32(first) << 8 | UInt32(second)) &* 0x9E37_79B1
    return UInt16(truncatingIfNeeded: hash >> 22)
  }
}
