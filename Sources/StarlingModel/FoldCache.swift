/// The folded texts of one entity, made when a matcher first asks and kept for the next ones.
///
/// One cache serves a whole load: `begin()` before each entity empties it and keeps its storage.
package struct FoldCache: ~Copyable, Sendable {
  /// Where a field's fold lies.
  struct Entry: BitwiseCopyable, Sendable {
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

  private(set) var bytes = FlatTable<UInt8>(repeating: 0, count: 4096)
  private(set) var entries = FlatTable<Entry>(repeating: Entry(), count: 16)
  private var filters = FlatTable<UInt64>(repeating: 0, count: 16 * FoldCache.filterWords)
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
    if entries.count <= field {
      entries.grow(to: field * 2, with: Entry())
      filters.grow(to: field * 2 * FoldCache.filterWords, with: 0)
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
    if bytes.count < needed { bytes.grow(to: needed * 2, with: 0) }
    let source = record.bytes.span.extracting(range)
    let start = used
    used = bytes.withMutableSpan { TextFold.fold(source, into: &$0, at: start) }
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
    let (start, end) = (entries[field].start, entries[field].end)
    guard start < end else { return }
    var before = bytes[start]
    for index in start + 1..<end {
      let byte = bytes[index]
      let bit = Int(Needle.pair(before, byte))
      filters[base + bit >> 6] |= 1 << UInt64(bit & 63)
      before = byte
    }
  }
}

/// A folded text to look for: a range of the matcher's needle bytes and what finds it quickly.
struct Needle: BitwiseCopyable, Sendable {
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
