/// Items that are ready to be taken, and the storage of those that were.
struct ItemQueue {
  private var ready: [Item] = []
  private var head = 0
  private var spare: [Item] = []

  /// Bytes of the items that wait and of the storage that is kept.
  var heldBytes: Int {
    ready.reduce(0) { $0 + $1.bytes.capacity } + spare.reduce(0) { $0 + $1.bytes.capacity }
  }

  mutating func append(_ item: inout Item) {
    ready.append(Item.blank)
    swap(&ready[ready.count - 1], &item)
  }

  /// Puts the next item into `item` and keeps the storage that was there.
  mutating func next(into item: inout Item) -> Bool {
    guard head < ready.count else { return false }
    swap(&ready[head], &item)
    head += 1
    if head == ready.count {
      for index in ready.indices where spare.count < 256 {
        spare.append(Item.blank)
        swap(&spare[spare.count - 1], &ready[index])
      }
      ready.removeAll(keepingCapacity: true)
      head = 0
    }
    return true
  }

  mutating func takeSpare(_ item: inout Item) {
    if var last = spare.popLast() { swap(&item, &last) }
  }
}

extension Item {
  static let blank = Item()
}
