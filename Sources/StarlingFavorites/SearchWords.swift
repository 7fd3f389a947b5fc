import StarlingModel
import StarlingSQLite

/// A column of the search index.
enum SearchColumn: BitwiseCopyable, Sendable {
  case title
  case text

  /// Where the words of a field go: texts and lists are searched, `title` and `name` before the
  /// others. Nil for what is not searched. It depends on the field alone: a kind that grows leaves
  /// the words of the rows that are there as they are.
  init?(_ field: Field) {
    switch field.type {
    case .text: self = ["title", "name"].contains(field.name) ? .title : .text
    case .list: self = .text
    case .integer, .real, .boolean, .url, .time, .money: return nil
    }
  }
}

/// The words of one entity, as the search index has them.
struct SearchWords {
  private(set) var title = SearchTokens()
  private(set) var text = SearchTokens()

  /// An entity without words is not in the index.
  var isEmpty: Bool { title.count + text.count == 0 }

  mutating func removeAll() {
    title.removeAll()
    text.removeAll()
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer, _ column: SearchColumn) {
    let span = unsafe Span<UInt8>(_bytes: RawSpan(_unsafeBytes: bytes))
    switch column {
    case .title: title.append(span)
    case .text: text.append(span)
    }
  }

  /// Adds the words of a field as a row has it.
  mutating func append(
    _ row: Statement, _ field: FieldLayout, firstColumn: Int32
  ) {
    guard let column = field.searchColumn,
      let bytes = unsafe row.bytes(firstColumn + field.offset)
    else { return }
    guard field.type == .list else { return unsafe append(bytes, column) }
    unsafe ListText.forEach(bytes) { element in unsafe append(element, column) }
  }

  /// Adds the words of a field as a record has it.
  ///
  /// - Returns: false when the record lacks it.
  mutating func append(
    _ record: borrowing EntityRecord, _ field: Int, _ column: SearchColumn, _ binder: RecordBinder
  ) -> Bool {
    switch record.slots[field] {
    case .text(let range) where !range.isEmpty: unsafe append(binder.text(range), column)
    case .list(let elements):
      for element in elements { unsafe append(binder.text(record.items[element]), column) }
    default: return false
    }
    return true
  }

  /// Makes the words of a whole row.
  mutating func fill(from row: Statement, _ handle: KindHandle, firstColumn: Int32) {
    removeAll()
    for field in handle.searched { append(row, handle.layout[field], firstColumn: firstColumn) }
  }

  func equals(_ other: SearchWords) -> Bool {
    title.count == other.title.count && text.count == other.text.count
      && title.storage.prefix(title.count) == other.title.storage.prefix(title.count)
      && text.storage.prefix(text.count) == other.text.storage.prefix(text.count)
  }
}
