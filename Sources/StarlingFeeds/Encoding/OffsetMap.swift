/// Where the bytes of a converted text stood in what it was made of, so that a report can name the
/// byte of the document.
///
/// Between two entries a byte of the text is a byte of the source.
struct OffsetMap {
  private var entries: [(text: Int, source: Int)] = []
  /// Beyond this many changes places become approximate, so that damage cannot fill memory.
  private static let maximumEntries = 1 << 16

  /// From a place in the text on, what follows stood at a place in the source.
  mutating func add(text: Int, source: Int) {
    if entries.count < OffsetMap.maximumEntries { entries.append((text, source)) }
  }

  func source(of text: Int) -> Int {
    guard let entry = entry(before: text) else { return text }
    return entry.source + (text - entry.text)
  }

  /// The last entry at a place or before it.
  func entry(before text: Int) -> (text: Int, source: Int)? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].text <= text { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? entries[low - 1] : nil
  }

  /// Forgets what only concerns places before one.
  mutating func drop(before text: Int) {
    guard let first = entries.firstIndex(where: { $0.text > text }) ?? entries.indices.last,
      first > 1
    else { return }
    entries.removeSubrange(..<(first - 1))
  }
}
