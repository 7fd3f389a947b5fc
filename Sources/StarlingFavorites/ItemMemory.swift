package import StarlingModel
import StarlingSQLite

/// What the items of a source's last load became: an item that is the same as then need not be
/// mapped again, as long as its entity is what it made.
///
/// It is kept in the file and is no more than a help: what is not known is mapped.
package final class ItemMemory {
  /// An item and the one entity that it became.
  private struct Entry {
    var item: ContentHash
    var kind: Int64
    var rowid: Int64
    /// The first half of the hash of the entity.
    var entity: UInt64
  }

  private let store: FavoritesStore
  private let context: ContentHash
  private let source: Int64?
  private var known: [Entry] = []
  private var isUsed: [Bool] = []
  private var places: [ContentHash: Int] = [:]
  /// What the items of this load became, in pieces: nothing is copied as they grow.
  private var noted: [[Entry]] = []
  private var notedCount = 0
  /// Whether the last of `noted` is the item at hand.
  private var hasLast = false
  private let notedRows = SeenRows()
  /// Rows that several items made together: what they are in the end depends on the items' order.
  private let ambiguous = SeenRows()
  /// The row of the entity that was recalled last.
  package private(set) var recalledRow: Int64 = 0
  /// Rows that are known and have not been seen for some time.
  private var stale: [(handle: KindHandle, rowid: Int64)] = []

  /// Items beyond these are mapped each time, so that memory does not grow with a feed.
  package static let most = 1 << 16

  /// - Parameters:
  ///   - source: the source's name.
  ///   - context: of what else the entities depend on, such as the plugin; what was kept under
  ///     another is forgotten.
  package init(
    _ store: FavoritesStore, source name: String, context: ContentHash
  ) throws(FavoritesError) {
    self.store = store
    self.context = context
    source = try store.sql { () throws(SQLiteError) -> Int64? in
      let find = try store.statement(.findSource)
      find.bind(1, name)
      defer { find.reset() }
      return try find.step() ? find.integer(0) : nil
    }
    guard let source else { return }
    try store.sql { () throws(SQLiteError) in try read(source) }
  }

  /// The entity that an item became, when both are as they were.
  ///
  /// - Parameter record: is filled with it.
  /// - Returns: its kind; nil when the item is to be mapped.
  package func recall(
    _ item: ContentHash, into record: inout EntityRecord
  ) throws(FavoritesError) -> KindHandle? {
    guard let place = places[item] else { return nil }
    let entry = known[place]
    guard let handle = store.handles.first(where: { $0.id == entry.kind }) else { return nil }
    let now = store.options.clock().secondsSinceEpoch
    return try store.sql { () throws(SQLiteError) -> KindHandle? in
      let row = try handle.statement(.recall, on: store.connection)
      row.bind(1, entry.rowid)
      defer { row.reset() }
      guard try row.step() else { return nil }
      fill(&record, from: row, handle)
      guard record.contentHash.first == entry.entity else { return nil }
      if now - row.integer(1) >= FavoritesStore.seenResolutionSeconds {
        stale.append((handle, entry.rowid))
      }
      isUsed[place] = true
      recalledRow = entry.rowid
      return handle
    }
  }

  private func fill(_ record: inout EntityRecord, from row: Statement, _ handle: KindHandle) {
    let layout = handle.layout
    record.reset(fieldCount: layout.count)
    if let key = unsafe row.bytes(0) { record.setKey(unsafe record.append(key)) }
    for field in 0..<layout.count {
      unsafe record.take(field, RowValue(row, 2 + layout[field].offset, layout[field].type))
    }
  }

  /// Notes what an item became, when the entity is now exactly that.
  package func note(
    _ item: ContentHash?, _ handle: KindHandle, _ outcome: LoadOutcome,
    _ record: borrowing EntityRecord
  ) {
    guard let item, outcome.isWhole, notedCount < ItemMemory.most else { return }
    if noted.last.map({ $0.count == ItemMemory.pieceSize }) ?? true {
      noted.append([])
      noted[noted.count - 1].reserveCapacity(ItemMemory.pieceSize)
    }
    noted[noted.count - 1].append(
      Entry(item: item, kind: handle.id, rowid: outcome.rowid, entity: record.contentHash.first))
    if !notedRows.insert(outcome.rowid) { ambiguous.insert(outcome.rowid) }
    notedCount += 1
    hasLast = true
  }

  /// Begins an item: what is noted up to the next one is of this one.
  package func beginItem() { hasLast = false }

  /// Forgets what was noted of the item at hand: more than one entity comes of it.
  package func forgetItem() {
    guard hasLast else { return }
    noted[noted.count - 1].removeLast()
    notedCount -= 1
    hasLast = false
  }

  /// Writes down what is known now, in the load's transaction.
  func write(source: Int64, now: Int64) throws(SQLiteError) {
    for (handle, rowid) in stale {
      let touch = try handle.statement(.touch, on: store.connection)
      touch.bind(1, rowid)
      touch.bind(2, now)
      try touch.run()
    }
    guard notedCount > 0 || isUsed.contains(false) else { return }
    for place in known.indices where isUsed[place] && notedRows.contains(known[place].rowid) {
      ambiguous.insert(known[place].rowid)
    }
    var count = 0
    forEachKept { _ in count += 1 }
    count = min(count, ItemMemory.most)
    let statement = try store.statement(.writeItems)
    statement.bind(1, source)
    statement.bindZeroBlob(2, count: ItemMemory.headSize + count * ItemMemory.entrySize)
    try statement.run()
    try store.connection.writeBlob("_items", column: "items", row: source) { blob in
      blob.append(context.first)
      blob.append(context.second)
      forEachKept { entry in
        guard count > 0 else { return }
        count -= 1
        blob.append(entry.item.first)
        blob.append(entry.item.second)
        blob.append(UInt64(bitPattern: entry.kind))
        blob.append(UInt64(bitPattern: entry.rowid))
        blob.append(entry.entity)
      }
    }
  }

  private func forEachKept(_ body: (Entry) -> Void) {
    for place in known.indices where isUsed[place] && !ambiguous.contains(known[place].rowid) {
      body(known[place])
    }
    for piece in noted {
      for entry in piece where !ambiguous.contains(entry.rowid) { body(entry) }
    }
  }

  // MARK: In the file: the context, then five numbers an item

  private static let headSize = 16
  private static let entrySize = 40
  private static let pieceSize = 1024

  private func read(_ source: Int64) throws(SQLiteError) {
    let find = try store.statement(.items)
    find.bind(1, source)
    defer { find.reset() }
    guard try find.step(), let bytes = unsafe find.blob(0) else { return }
    func number(_ place: Int) -> UInt64 {
      UInt64(
        littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
    }
    let count = bytes.count / 8
    guard count >= 2, ContentHash(first: number(0), second: number(1)) == context else { return }
    known.reserveCapacity(count / 5)
    places.reserveCapacity(count / 5)
    for place in stride(from: 2, through: count - 5, by: 5) {
      let item = ContentHash(first: number(place), second: number(place + 1))
      places[item] = known.count
      known.append(
        Entry(
          item: item, kind: Int64(bitPattern: number(place + 2)),
          rowid: Int64(bitPattern: number(place + 3)), entity: number(place + 4)))
    }
    isUsed = Array(repeating: false, count: known.count)
  }
}

@available(*, unavailable)
extension ItemMemory: Sendable {}
