public import StarlingModel
public import StarlingSQLite

/// The value of one field of a row, lent: its pointers are good until the row moves on.
@unsafe
@usableFromInline
package enum RowValue {
  case absent
  /// A text or a url.
  case text(UnsafeRawBufferPointer)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  /// Seconds since the epoch.
  case time(Int64)
  case money(
    low: Double?, high: Double?, currency: UnsafeRawBufferPointer?, text: UnsafeRawBufferPointer)
  /// A JSON array of texts; see `ListText`.
  case list(UnsafeRawBufferPointer)

  /// Reads a field's columns, the first of which is `column`.
  @inlinable @inline(__always)
  init<Columns: SQLColumns>(_ columns: Columns, _ column: Int32, _ type: FieldType) {
    guard !columns.isNull(column) else {
      unsafe self = .absent
      return
    }
    switch type {
    case .integer: unsafe self = .integer(columns.integer(column))
    case .real: unsafe self = .real(columns.real(column))
    case .boolean: unsafe self = .boolean(columns.integer(column) != 0)
    case .time: unsafe self = .time(columns.integer(column))
    case .text, .url: unsafe self = .text(RowValue.bytes(columns, column))
    case .list: unsafe self = .list(RowValue.bytes(columns, column))
    case .money:
      unsafe self = .money(
        low: columns.isNull(column + 1) ? nil : columns.real(column + 1),
        high: columns.isNull(column + 2) ? nil : columns.real(column + 2),
        currency: columns.isNull(column + 3) ? nil : RowValue.bytes(columns, column + 3),
        text: RowValue.bytes(columns, column))
    }
  }

  @inlinable @inline(__always)
  static func bytes<Columns: SQLColumns>(
    _ columns: Columns, _ column: Int32
  ) -> UnsafeRawBufferPointer {
    unsafe columns.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

extension EntityRecord {
  /// Takes a value over into the record.
  mutating func take(_ field: Int, _ value: RowValue) {
    switch unsafe value {
    case .absent: set(field, .absent)
    case .text(let bytes): unsafe set(field, text: bytes)
    case .integer(let number): set(field, .integer(number))
    case .real(let number): set(field, .real(number))
    case .boolean(let flag): set(field, .boolean(flag))
    case .time(let seconds): set(field, .time(seconds))
    case .money(let low, let high, let currency, let text):
      var range: Range<Int>?
      if let currency = unsafe currency { range = unsafe append(currency) }
      setMoney(
        field, MoneySlot(low: low, high: high, currency: range, text: unsafe append(text)))
    case .list(let json):
      var ranges: [Range<Int>] = []
      unsafe ListText.forEach(json) { bytes in ranges.append(unsafe append(bytes)) }
      setList(field, ranges)
    }
  }
}
