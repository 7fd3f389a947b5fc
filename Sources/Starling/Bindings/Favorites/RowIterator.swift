import StarlingFavorites
import StarlingLua

/// What `each` gives: rows in chunks, so that memory does not grow with their number and nothing is
/// open while Lua code runs.
final class RowIterator {
  private let binding: StoreBinding
  private let writer: RowWriter
  private var query: Query
  /// Rows that may still come.
  private var left: Int
  private var chunk: LuaTable?
  private var place = 0
  private var count = 0
  /// The next chunk's rows; the first is small, for loops that end soon.
  private var size = 32
  private var isAtEnd = false

  private static let largest = 256

  init(_ binding: StoreBinding, _ writer: RowWriter, _ query: Query) {
    self.binding = binding
    self.writer = writer
    self.query = query.inStreamOrder
    left = query.limit ?? .max
  }

  /// Pushes the next row, nil after the last.
  func next(_ state: LuaState, _ results: inout LuaWriter) throws(LuaError) {
    if place == count { try load(state) }
    guard place < count, let chunk else { return results.pushNil() }
    place += 1
    results.push(chunk, element: place)
  }

  private func load(_ state: LuaState) throws(LuaError) {
    place = 0
    count = 0
    chunk = nil
    if isAtEnd || left == 0 { return }
    query.limit = min(left, size)
    var rows = RowPusher(writer, state)
    chunk = try state.makeTable(elements: min(left, size)) { list throws(LuaError) in
      query.after = try rows.append(query, binding, to: &list)
    }
    count = rows.count
    left -= count
    size = min(size * 2, Self.largest)
    isAtEnd = query.after == nil
  }
}

@available(*, unavailable)
extension RowIterator: Sendable {}

/// Pushes the rows of one query as a list.
struct RowPusher {
  private let writer: RowWriter
  private let state: LuaState
  private(set) var count = 0

  init(_ writer: RowWriter, _ state: LuaState) {
    self.writer = writer
    self.state = state
  }

  /// - Returns: where the next page begins, when the limit cut this one.
  mutating func append(
    _ query: Query, _ binding: StoreBinding, to list: inout LuaTableWriter
  ) throws(LuaError) -> Cursor? {
    let store = try binding.reading()
    var failure: LuaError?
    defer { binding.letGo() }
    let next = try binding.run { () throws(FavoritesError) in
      try store.forEachRow(query) { row in
        do throws(LuaError) {
          count += 1
          if count & 63 == 0 { try state.checkBudget() }
          try list.append { writer throws(LuaError) in try self.writer.push(row, to: &writer) }
          // What the row had of the store is in Lua now.
          binding.letGo()
          return true
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
    return next
  }
}
