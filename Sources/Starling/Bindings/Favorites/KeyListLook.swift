import StarlingFavorites
import StarlingLua
import StarlingModel

/// Looks the keys of a list up, in pages: the strings as they lie in Lua's memory.
struct KeyListLook {
  private let list: LuaView
  private let kind: BoundKind
  private let store: FavoritesStore
  private let binding: StoreBinding
  private var page = KeyPage()
  /// The position of the page's last key; those before it are in a row.
  private var last = 0

  /// - Parameter store: with the read transaction open in which all are looked up.
  init(_ list: LuaView, _ kind: BoundKind, _ store: FavoritesStore, _ binding: StoreBinding) {
    self.list = list
    self.kind = kind
    self.store = store
    self.binding = binding
  }

  /// Sets the field of each key that is a favorite's to true.
  mutating func answer(
    into table: inout LuaTableWriter, _ call: borrowing LuaCall
  ) throws(LuaError) {
    try list.forEachElement { position, value throws(LuaError) in
      // What is no string is looked up by itself: its bytes are made for it.
      guard let key = unsafe value.bytes, key.count > 0 else {
        try answerPage(into: &table)
        return try answer(value, at: position, into: &table, call)
      }
      if page.isFull { try answerPage(into: &table) }
      unsafe page.append(key)
      last = position
    }
    try answerPage(into: &table)
  }

  private mutating func answerPage(into table: inout LuaTableWriter) throws(LuaError) {
    guard page.count > 0 else { return }
    var found = try binding.run { () throws(FavoritesError) in
      try store.containing(kind.handle, page)
    }
    while found != 0 {
      table.set(list, element: last - page.count + 1 + found.trailingZeroBitCount, true)
      found &= found - 1
    }
    page.removeAll()
  }

  private func answer(
    _ value: LuaView, at position: Int, into table: inout LuaTableWriter,
    _ call: borrowing LuaCall
  ) throws(LuaError) {
    if value.isNil { return }
    let isFavorite: Bool
    do throws(LuaError) {
      isFavorite = try unsafe binding.withKey(value) { key throws(LuaError) in
        try binding.run { () throws(FavoritesError) in
          try unsafe store.contains(kind.handle, key: key)
        }
      }
    } catch {
      if error.cause != nil { throw error }
      throw call.argumentError(2, "[\(position)]: \(error.description)")
    }
    if isFavorite { try table.set(value) { $0.push(true) } }
  }
}
