import StarlingModel
import StarlingSQLite

/// What an undo looks at.
extension FavoritesStore {
  func changedByHand(
    _ entity: Int64, since change: Int64
  ) throws(SQLiteError) -> String? {
    let later = try statement(.laterByHand)
    later.bind(1, entity)
    later.bind(2, change)
    defer { later.reset() }
    guard try later.step() else { return nil }
    switch later.string(0) {
    case "note": return "you wrote a note since"
    default: return "you changed its tags since"
    }
  }

  /// Whether somebody took the favorite away after a change, and that stands.
  func wasUnstarred(_ entity: Int64, since change: Int64) throws(SQLiteError) -> Bool {
    let later = try statement(.laterUnstar)
    later.bind(1, entity)
    later.bind(2, change)
    defer { later.reset() }
    return try later.step()
  }

  /// The place of an actor's cause, and how many others there are.
  func causeNumber(
    _ entity: Int64, actor: Int64
  ) throws(SQLiteError) -> (number: Int64, others: Int)? {
    let list = try statement(.causesOf)
    list.bind(1, entity)
    defer { list.reset() }
    var number: Int64?
    var count = 0
    while try list.step() {
      count += 1
      if list.integer(1) == actor { number = list.integer(0) }
    }
    return number.map { ($0, count - 1) }
  }

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

  /// A cause as a change's detail keeps it.
  func causeText(_ entity: Int64, number: Int64) throws(SQLiteError) -> String? {
    let list = try statement(.causesOf)
    list.bind(1, entity)
    defer { list.reset() }
    while try list.step() {
      guard list.integer(0) == number else { continue }
      return ChangeDetail.cause(
        number: number, actor: list.integer(1), line: list.isNull(2) ? nil : list.integer(2),
        evidence: list.string(3), at: list.integer(4))
    }
    return nil
  }

  func detail(
    _ row: HistoryRow
  ) throws(SQLiteError) -> (
    before: String?, after: String?, refused: Int64, of: Int64?, restored: Int64?, merge: Int
  ) {
    let read = try statement(.detail)
    read.bind(1, row.detail ?? "{}")
    defer { read.reset() }
    guard try read.step() else { return (nil, nil, 0, nil, nil, 0) }
    return (
      read.string(0), read.string(1), read.integer(2), read.isNull(3) ? nil : read.integer(3),
      read.isNull(4) ? nil : read.integer(4), Int(read.integer(5))
    )
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

  func removeRefusal(_ handle: KindHandle, entity: Int64) throws(SQLiteError) {
    guard let key = try keyOf(entity, handle) else { return }
    _ = try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe removeRefusal(handle, key: key)
    }
  }
}
