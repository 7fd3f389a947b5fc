import StarlingLua
import StarlingModel

/// The entity that a `when` function is asked about: a read-only table of which only what is read
/// becomes Lua values. It notes what was read, which is the evidence.
final class RuleEntityView: LuaViewSource {
  var record = EntityRecord()
  /// The fields that were read, in the order of the first reads.
  private(set) var reads: [Int] = []
  private var kind = Kind(name: "", key: .auto, fields: [])
  private var names: [[UInt8]] = []
  /// The fields of all kinds that the rule is for; any other name is an error.
  private var known: Set<String> = []

  private static let kindName = Array("kind".utf8)
  private static let keyName = Array("key".utf8)

  func begin(_ record: borrowing EntityRecord, kind: Kind, known: Set<String>) {
    self.record = copy record
    self.known = known
    reads.removeAll(keepingCapacity: true)
    if self.kind.name != kind.name || self.kind.fields.count != kind.fields.count {
      names = kind.fields.map { Array($0.name.utf8) }
    }
    self.kind = kind
  }

  func end() {
    record = EntityRecord()
  }

  func read(_ node: Int64, key: LuaView, into value: inout LuaWriter) throws(LuaError) {
    let place =
      try unsafe key.withBytes { bytes throws(LuaError) in unsafe index(of: bytes) } ?? nil
    if let place {
      if !reads.contains(place) { reads.append(place) }
      return try push(place, into: &value)
    }
    guard key.type == .string else { return }
    let name = try key.string()
    switch name {
    case "kind": value.push(kind.name)
    case "key": push(record.key, into: &value)
    default: if !known.contains(name) { throw unknown(name) }
    }
  }

  private func unknown(_ name: String) -> LuaError {
    let nearest = Spelling.nearest(to: name, among: known)
    return .message(
      "unknown field \"\(name)\" of kind \"\(kind.name)\""
        + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
  }

  func count(_ node: Int64) throws(LuaError) -> Int { 0 }

  func step(
    _ node: Int64, cursor: Int64, into pair: inout LuaWriter
  ) throws(LuaError) -> Int64? {
    var place = Int(clamping: cursor)
    while place < kind.fields.count, record.slots[place] == .absent { place += 1 }
    guard place >= 0, place < kind.fields.count else { return nil }
    pair.push(kind.fields[place].name)
    try push(place, into: &pair)
    if !reads.contains(place) { reads.append(place) }
    return Int64(place) + 1
  }

  func cursor(_ node: Int64, after key: LuaView) throws(LuaError) -> Int64? {
    let place =
      try unsafe key.withBytes { bytes throws(LuaError) in unsafe index(of: bytes) } ?? nil
    return place.map { Int64($0) + 1 }
  }

  // MARK: Values

  private func index(of name: UnsafeRawBufferPointer) -> Int? {
    names.firstIndex { unsafe $0.count == name.count && $0.elementsEqual(name) }
  }

  private func push(_ field: Int, into writer: inout LuaWriter) throws(LuaError) {
    switch record.slots[field] {
    case .absent: break
    case .text(let range): push(range, into: &writer)
    case .integer(let number), .time(let number): writer.push(number)
    case .real(let number): writer.push(number)
    case .boolean(let flag): writer.push(flag)
    case .list(let ranges):
      let items = record.items[ranges]
      try writer.array(count: items.count) { list throws(LuaError) in
        for range in items {
          try list.append { element throws(LuaError) in push(range, into: &element) }
        }
      }
    case .money(let place): try push(record.moneys[place], into: &writer)
    }
  }

  private func push(
    _ money: EntityRecord.MoneySlot, into writer: inout LuaWriter
  ) throws(LuaError) {
    try writer.table(fields: 4) { table throws(LuaError) in
      if let low = money.low { try table.set(named: "low") { $0.push(low) } }
      if let high = money.high { try table.set(named: "high") { $0.push(high) } }
      if let currency = money.currency {
        try table.set(named: "currency") { push(currency, into: &$0) }
      }
      try table.set(named: "text") { push(money.text, into: &$0) }
    }
  }

  private func push(_ range: Range<Int>, into writer: inout LuaWriter) {
    unsafe record.bytes.withUnsafeBytes { bytes in
      unsafe writer.push(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }
}
