/// Keys to be looked up at once. They are lent: where they lie must not move or change until then.
@safe
package struct KeyPage {
  /// How many fit; an answer has a bit for each.
  package static let size = 64

  private var keys: [UnsafeRawBufferPointer] = unsafe []

  package init() {
    unsafe keys.reserveCapacity(KeyPage.size)
  }

  package var count: Int { unsafe keys.count }
  package var isFull: Bool { count == KeyPage.size }

  /// Adds a key to a page that is not full.
  package mutating func append(_ key: UnsafeRawBufferPointer) { unsafe keys.append(key) }

  package mutating func removeAll() { unsafe keys.removeAll(keepingCapacity: true) }

  @unsafe subscript(place: Int) -> UnsafeRawBufferPointer { unsafe keys[place] }
}

@available(*, unavailable)
extension KeyPage: Sendable {}
