import StarlingModel
import StarlingSQLite

/// What an undo looks at.
extension FavoritesStore {
  /// The number for a cause that comes back: the one that it had, unless another has that.
  func freeCauseNumber(_ entity: Int64, _ wanted: Int64?) throws(SQLiteError) -> Int64 {
    let list = try statement(.causesOf)
    list.bind(1, entity)
    defer { list.reset() }
    var last: Int64 = 0
    var isFree = true
    while try list.step() {
      last = list.integer(0)
      if last == wanted { isFree = false }
    }
    if let wanted, isFree { return wanted }
    return last + 1
  }

  /// What a change of a key says: `merge` and `refusal` as `FavoritesStore+Merge` has them.
  func detail(
    _ row: HistoryRow
  ) throws(SQLiteError) -> (before: String?, after: String?, merge: Int, refusal: Int) {
    let read = try statement(.detail)
    read.bind(1, row.detail ?? "{}")
    defer { read.reset() }
    guard try read.step() else { return (nil, nil, 0, 0) }
    return (read.string(0), read.string(1), Int(read.integer(2)), Int(read.integer(3)))
  }

  func detailCause(_ row: HistoryRow) throws(SQLiteError) -> StoredCause? {
    guard let detail = row.detail else { return nil }
    let read = try statement(.detailCause)
    read.bind(1, detail)
    defer { read.reset() }
    guard try read.step(), !read.isNull(0) else { return nil }
    return StoredCause(
      number: read.isNull(4) ? nil : read.integer(4), actor: read.integer(0),
      line: read.isNull(1) ? nil : read.integer(1), evidence: read.string(2), at: read.integer(3))
  }

  func keyOf(_ entity: Int64, _ handle: KindHandle) throws(SQLiteError) -> String? {
    let find = try handle.statement(.keyOf, on: connection)
    find.bind(1, entity)
    defer { find.reset() }
    return try find.step() ? find.string(0) : nil
  }

  func isRefused(_ handle: KindHandle, key: String) throws(SQLiteError) -> Bool {
    try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe isRefused(handle, key: key)
    }
  }

  func addRefusal(
    _ handle: KindHandle, key: String, now: Int64
  ) throws(SQLiteError) -> Bool {
    try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe addRefusal(handle, key: key, now: now)
    }
  }

  func removeRefusal(_ handle: KindHandle, key: String) throws(SQLiteError) -> Bool {
    try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe removeRefusal(handle, key: key)
    }
  }

  func addRefusal(
    _ handle: KindHandle, entity: Int64, now: Int64
  ) throws(SQLiteError) -> Bool {
    guard let key = try keyOf(entity, handle) else { return false }
    return try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe addRefusal(handle, key: key, now: now)
    }
  }
}
