import StarlingFavorites
import StarlingLua
import StarlingModel

/// The names that every row has in Lua, interned in one state.
struct RowKeys {
  let kind: LuaKey
  let key: LuaKey
  let starredAt: LuaKey
  let firstSeen: LuaKey
  let lastSeen: LuaKey
  let source: LuaKey
  let tags: LuaKey
  let note: LuaKey
  let causes: LuaKey
  let money: MoneyKeys
  let cause: CauseKeys

  init(_ state: LuaState) {
    kind = state.key("kind")
    key = state.key("key")
    starredAt = state.key("starred_at")
    firstSeen = state.key("first_seen")
    lastSeen = state.key("last_seen")
    source = state.key("source")
    tags = state.key("tags")
    note = state.key("note")
    causes = state.key("causes")
    money = MoneyKeys(state)
    cause = CauseKeys(state)
  }
}

/// Pushes rows of the store as Lua tables, straight from the columns' bytes.
struct RowWriter {
  private let kindName: LuaKey
  private let fields: [LuaKey]
  private let keys: RowKeys
  private unowned let binding: StoreBinding
  /// Whether the causes are among the fields; they are read for each row.
  private let withCauses: Bool
  /// Whether when it was seen, and in which source, is.
  private let withSeen: Bool

  init(kind: BoundKind, binding: StoreBinding, withCauses: Bool, withSeen: Bool) {
    kindName = kind.nameKey
    fields = kind.fields
    self.binding = binding
    keys = binding.keys
    self.withCauses = withCauses
    self.withSeen = withSeen
  }

  /// Pushes a row as one table.
  @inline(__always)
  func push(_ row: EntityRow, to writer: inout LuaWriter) throws(LuaError) {
    try writer.table(fields: fields.count + 5) { table throws(LuaError) in
      try fill(&table, from: row)
    }
  }

  @inline(__always)
  private func fill(_ table: inout LuaTableWriter, from row: EntityRow) throws(LuaError) {
    table.set(keys.kind, kindName)
    unsafe table.set(keys.key, row.key)
    for index in fields.indices {
      try unsafe set(fields[index], row.value(index), in: &table)
    }
    if withSeen { setSeen(row, in: &table) }
    guard let starredAt = row.starredAt else { return }
    table.set(keys.starredAt, starredAt)
    if let note = unsafe row.note { unsafe table.set(keys.note, note) }
    try setTags(row, in: &table)
    if withCauses { try setCauses(row, in: &table) }
  }

  @inline(__always)
  private func set(
    _ key: LuaKey, _ value: RowValue, in table: inout LuaTableWriter
  ) throws(LuaError) {
    switch unsafe value {
    case .absent: break
    case .text(let bytes): unsafe table.set(key, bytes)
    case .integer(let number), .time(let number): table.set(key, number)
    case .real(let number): table.set(key, number)
    case .boolean(let flag): table.set(key, flag)
    case .money(let low, let high, let currency, let text):
      try table.set(key) { writer throws(LuaError) in
        try writer.table(fields: 4) { money throws(LuaError) in
          if let low { money.set(keys.money.low, natural: low) }
          if let high { money.set(keys.money.high, natural: high) }
          if let currency = unsafe currency { unsafe money.set(keys.money.currency, currency) }
          unsafe money.set(keys.money.text, text)
        }
      }
    case .list(let json):
      try table.set(key) { writer throws(LuaError) in
        try writer.array(count: 4) { list throws(LuaError) in
          unsafe ListText.forEach(json) { text in unsafe list.append(text) }
        }
      }
    }
  }

  private func setSeen(_ row: EntityRow, in table: inout LuaTableWriter) {
    table.set(keys.firstSeen, row.firstSeen)
    table.set(keys.lastSeen, row.lastSeen)
    if let source = row.source { table.set(keys.source, source) }
  }

  private func setTags(_ row: EntityRow, in table: inout LuaTableWriter) throws(LuaError) {
    try table.set(keys.tags) { writer throws(LuaError) in
      try writer.array(count: 0) { list throws(LuaError) in
        guard row.hasTags else { return }
        var failure: LuaError?
        do throws(FavoritesError) {
          try unsafe row.forEachTag { tag in
            do throws(LuaError) {
              try list.append { writer in unsafe writer.push(tag) }
              return true
            } catch {
              failure = error
              return false
            }
          }
        } catch {
          throw binding.lua(error)
        }
        if let failure { throw failure }
      }
    }
  }

  private func setCauses(_ row: EntityRow, in table: inout LuaTableWriter) throws(LuaError) {
    let causes: [Cause]
    do throws(FavoritesError) {
      causes = try row.causes()
    } catch {
      throw binding.lua(error)
    }
    try table.set(keys.causes) { writer throws(LuaError) in
      try writer.push(causes, keys.cause)
    }
  }
}
