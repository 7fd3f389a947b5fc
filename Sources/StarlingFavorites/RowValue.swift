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
  init(_ statement: Statement, _ column: Int32, _ type: FieldType) {
    guard !statement.isNull(column) else {
      unsafe self = .absent
      return
    }
    switch type {
    case .integer: unsafe self = .integer(statement.integer(column))
    case .real: unsafe self = .real(statement.real(column))
    case .boolean: unsafe self = .boolean(statement.integer(column) != 0)
    case .time: unsafe self = .time(statement.integer(column))
    case .text, .url: unsafe self = .text(RowValue.bytes(statement, column))
    case .list: unsafe self = .list(RowValue.bytes(statement, column))
    case .money:
      unsafe self = .money(
        low: statement.isNull(column + 1) ? nil : statement.real(column + 1),
        high: statement.isNull(column + 2) ? nil : statement.real(column + 2),
        currency: statement.isNull(column + 3) ? nil : RowValue.bytes(statement, column + 3),
        text: RowValue.bytes(statement, column))
    }
  }

  @inlinable @inline(__always)
  static func bytes(_ statement: Statement, _ column: Int32) -> UnsafeRawBufferPointer {
    unsafe statement.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

extension EntityRecord {
  /// Takes a value over into the record.
  mutating func take(_ field: Int, _ value: RowValue) {
    switch unsafe value {
    case .absent: set(field, .absent)
    case .text(let bytes): set(field, .text(unsafe append(bytes)))
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
