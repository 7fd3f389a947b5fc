import Glibc
import StarlingModel
import StarlingSQLite

/// Binds a record's values to a statement where they lie, and compares them with a row.
///
/// It holds for the time in which the record's bytes and the scratch stay in place.
@unsafe
struct RecordBinder {
  let bytes: UnsafeRawBufferPointer
  let scratchBytes: UnsafeRawBufferPointer

  /// The part of the record's bytes at `range`.
  func text(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  private func made(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: scratchBytes[range])
  }

  /// Binds the columns of a field from `index` on. An empty text is absent.
  func bind(
    _ record: borrowing EntityRecord, _ field: Int, _ type: FieldType, _ scratch: borrowing Scratch,
    to statement: Statement, at index: Int32
  ) {
    switch record.slots[field] {
    case .absent:
      statement.bindNull(index)
      if type == .money { for part in 1...3 { statement.bindNull(index + Int32(part)) } }
    case .text(let range):
      if range.isEmpty {
        statement.bindNull(index)
      } else {
        unsafe statement.bindStatic(index, text(range))
      }
    case .integer(let number), .time(let number): statement.bind(index, number)
    case .real(let number): statement.bind(index, number)
    case .boolean(let flag): statement.bind(index, Int64(flag ? 1 : 0))
    case .list: unsafe statement.bindStatic(index, made(scratch.list(field)))
    case .money(let place):
      let money = record.moneys[place]
      unsafe statement.bindStatic(index, text(money.text))
      if let low = money.low {
        statement.bind(index + 1, low)
      } else {
        statement.bindNull(index + 1)
      }
      if let high = money.high {
        statement.bind(index + 2, high)
      } else {
        statement.bindNull(index + 2)
      }
      if let currency = money.currency {
        unsafe statement.bindStatic(index + 3, text(currency))
      } else {
        statement.bindNull(index + 3)
      }
    }
  }

  func bindFolded(_ range: Range<Int>?, to statement: Statement, at index: Int32) {
    if let range {
      unsafe statement.bindStatic(index, made(range))
    } else {
      statement.bindNull(index)
    }
  }

  /// Whether a field that the record has is another in the row. An absent one is never.
  func differs(
    _ record: borrowing EntityRecord, _ field: Int, _ scratch: borrowing Scratch,
    from statement: Statement, at column: Int32, _ type: FieldType
  ) -> Bool {
    switch record.slots[field] {
    case .absent: return false
    case .text(let range):
      return unsafe !range.isEmpty && !equal(statement.bytes(column), text(range))
    case .integer(let number), .time(let number):
      if type == .real { return unsafe differs(Double(number), statement, column) }
      return statement.isNull(column) || statement.integer(column) != number
    case .real(let number): return unsafe differs(number, statement, column)
    case .boolean(let flag):
      return statement.isNull(column) || (statement.integer(column) != 0) != flag
    case .list: return unsafe !equal(statement.bytes(column), made(scratch.list(field)))
    case .money(let place):
      let money = record.moneys[place]
      let currency = unsafe money.currency.map { unsafe text($0) }
      return unsafe !equal(statement.bytes(column), text(money.text))
        || differs(money.low, statement, column + 1) || differs(money.high, statement, column + 2)
        || !equal(statement.bytes(column + 3), currency)
    }
  }

  private func differs(_ number: Double?, _ statement: Statement, _ column: Int32) -> Bool {
    guard let number else { return !statement.isNull(column) }
    return statement.isNull(column) || statement.real(column) != number
  }

  private func equal(_ left: UnsafeRawBufferPointer?, _ right: UnsafeRawBufferPointer?) -> Bool {
    guard let left = unsafe left, let right = unsafe right else {
      return unsafe left == nil && right == nil
    }
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return unsafe memcmp(first, second, left.count) == 0
  }
}
