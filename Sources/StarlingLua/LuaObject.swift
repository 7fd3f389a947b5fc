import CLuaShim

/// A userdata of the host, as numbers that its state checks at every use.
package struct LuaObject: Sendable, Hashable {
  package enum Form: Sendable, Hashable {
    /// A read-only view of a document; `node` says of which part.
    case view
    /// An object of a type with methods.
    case object
  }

  package let form: Form
  let slot: UInt32
  let generation: UInt32
  let type: UInt32
  /// The node of a view; 0 for an object.
  package let node: Int64

  init?(_ raw: starling_object) {
    switch Int(raw.form) {
    case STARLING_VIEW: form = .view
    case STARLING_OBJECT: form = .object
    default: return nil
    }
    slot = raw.slot
    generation = raw.generation
    type = raw.type
    node = raw.node
  }

  init(slot: UInt32, generation: UInt32, type: UInt32) {
    form = .object
    self.slot = slot
    self.generation = generation
    self.type = type
    node = 0
  }
}

/// A document that a state may show; made by `LuaState.lend`, ended by `LuaState.retract`.
package struct LuaDocument: Sendable, Hashable {
  let slot: UInt32
  let generation: UInt32
}

/// Answers for the views of one document. Nodes are numbers of the source's own choosing.
package protocol LuaViewSource: AnyObject {
  /// Pushes the value at `key` (a name or a position from 1), as one value; nothing for nil.
  func read(_ node: Int64, key: LuaView, into value: inout LuaWriter) throws(LuaError)
  /// What `#` says.
  func count(_ node: Int64) throws(LuaError) -> Int
  /// Pushes the key and the value at `cursor` (0 for the first) and returns the cursor behind it;
  /// pushes nothing and returns nil at the end.
  func step(
    _ node: Int64, cursor: Int64, into pair: inout LuaWriter
  ) throws(LuaError) -> Int64?
  /// The cursor behind `key`, for `next(view, key)`; nil when there is no such key.
  func cursor(_ node: Int64, after key: LuaView) throws(LuaError) -> Int64?
}

/// Slots with generations: a number that outlives what it named is told from its successor.
struct SlotTable<Element> {
  private var entries: [(generation: UInt32, element: Element?)] = []
  private var free: [UInt32] = []

  var count: Int { entries.count - free.count }

  mutating func insert(_ element: Element) -> (slot: UInt32, generation: UInt32) {
    if let slot = free.popLast() {
      entries[Int(slot)].element = element
      return (slot, entries[Int(slot)].generation)
    }
    entries.append((generation: 1, element: element))
    return (UInt32(truncatingIfNeeded: entries.count - 1), 1)
  }

  func element(_ slot: UInt32, _ generation: UInt32) -> Element? {
    guard Int(slot) < entries.count, entries[Int(slot)].generation == generation else { return nil }
    return entries[Int(slot)].element
  }

  /// Takes the element out; its number is never valid again.
  mutating func remove(_ slot: UInt32) -> Element? {
    guard Int(slot) < entries.count, let element = entries[Int(slot)].element else { return nil }
    entries[Int(slot)].element = nil
    entries[Int(slot)].generation &+= 1
    free.append(slot)
    return element
  }

  mutating func remove(_ slot: UInt32, _ generation: UInt32) -> Element? {
    element(slot, generation) == nil ? nil : remove(slot)
  }
}
