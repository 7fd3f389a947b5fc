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
  private var noted: [Entry] = []
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
    _ item: ContentHash, _ handle: KindHandle, _ outcome: LoadOutcome,
    _ record: borrowing EntityRecord
  ) {
    guard outcome.isWhole, noted.count < ItemMemory.most else { return }
    noted.append(
      Entry(
        item: item, kind: handle.id, rowid: outcome.rowid, entity: record.contentHash.first))
  }

  /// Writes down what is known now, in the load's transaction.
  func write(source: Int64, now: Int64) throws(SQLiteError) {
    for (handle, rowid) in stale {
      let touch = try handle.statement(.touch, on: store.connection)
      touch.bind(1, rowid)
      touch.bind(2, now)
      try touch.run()
    }
    guard !noted.isEmpty || isUsed.contains(false) else { return }
    var entries = known.indices.filter { isUsed[$0] }.map { known[$0] } + noted
    entries = ItemMemory.unambiguous(entries)
    let bytes = ItemMemory.encode(context, entries.prefix(ItemMemory.most))
    let statement = try store.statement(.writeItems)
    statement.bind(1, source)
    try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
      unsafe statement.bindStaticBlob(2, bytes)
      try statement.run()
    }
  }

  /// Without those that made one entity together with another: what it is in the end depends on
  /// their order.
  private static func unambiguous(_ entries: [Entry]) -> [Entry] {
    let rows = entries.map(\.rowid).sorted()
    var shared: Set<Int64> = []
    for (one, next) in zip(rows, rows.dropFirst()) where one == next { shared.insert(one) }
    return shared.isEmpty ? entries : entries.filter { !shared.contains($0.rowid) }
  }

  // MARK: In the file: the context, then five numbers an item

  private static func encode(_ context: ContentHash, _ entries: some Sequence<Entry>) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: UInt64) {
      unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    append(context.first)
    append(context.second)
    for entry in entries {
      append(entry.item.first)
      append(entry.item.second)
      append(UInt64(bitPattern: entry.kind))
      append(UInt64(bitPattern: entry.rowid))
      append(entry.entity)
    }
    return bytes
  }

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
