extension JSONWriter {
  /// Where a search found its words in an entity:
  /// `"matches":[{"field":"title","start":3,"end":5},{"field":"categories","item":0,…}]`.
  ///
  /// `start` and `end` (the first behind it) count characters of Unicode (code points) from 0, as
  /// Python's and jq's slices do; `item` counts the elements of a list from 0.
  package mutating func matches(
    of search: WordSearch, in record: borrowing EntityRecord, _ kind: Kind
  ) {
    fieldName("matches")
    beginArray()
    for (index, field) in kind.fields.enumerated() {
      switch record.slots[index] {
      case .text(let range) where field.type == .text:
        matches(of: search, in: record.bytes.span.extracting(range), field.name, item: nil)
      case .list(let elements):
        for element in elements {
          matches(
            of: search, in: record.bytes.span.extracting(record.items[element]), field.name,
            item: element - elements.lowerBound)
        }
      default: break
      }
    }
    endArray()
  }

  private mutating func matches(
    of search: WordSearch, in text: Span<UInt8>, _ field: String, item: Int?
  ) {
    var place = 0
    var character: Int64 = 0
    for range in search.ranges(in: text) {
      beginObject()
      member("field", field)
      if let item {
        fieldName("item")
        integer(Int64(item))
      }
      for (name, end) in [("start", range.lowerBound), ("end", range.upperBound)] {
        while place < end {
          // Bytes within a character do not count.
          if text[place] & 0xC0 != 0x80 { character += 1 }
          place += 1
        }
        fieldName(name)
        integer(character)
      }
      endObject()
    }
  }
}
