import CSimdjson
import Glibc

/// The nodes of a JSON document in memory of malloc's, which grows without being copied;
/// `CSimdjson.h` states the layout.
@safe final class JSONTape {
  private(set) var words: UnsafeMutablePointer<UInt32>?
  private(set) var count: Int
  private var capacity: Int
  private(set) var wide: UnsafeMutablePointer<UInt64>?
  private(set) var wideCount: Int
  private var wideCapacity: Int
  /// Whether there was no memory for what was appended.
  private(set) var isIncomplete = false

  init() {
    unsafe (words, wide) = (nil, nil)
    (count, capacity, wideCount, wideCapacity) = (0, 0, 0, 0)
  }

  /// Takes over what the strict parser made.
  init(owning tape: starling_json_tape) {
    unsafe (words, wide) = (tape.words, tape.wide)
    unsafe (count, wideCount) = (tape.count, tape.wide_count)
    unsafe (capacity, wideCapacity) = (tape.count, tape.wide_count)
  }

  deinit {
    unsafe free(words)
    unsafe free(wide)
  }

  var memoryBytes: Int { count * 4 + wideCount * 8 }

  // MARK: Making

  /// Adds a node and gives its place.
  @discardableResult
  func append(_ kind: Int, _ payload: Int = 0) -> Int {
    if count == capacity, !grow() { return 0 }
    unsafe words?[count] = JSONTape.word(kind, payload)
    count += 1
    return count - 1
  }

  /// Adds a node whose value is beside the tape.
  func append(_ kind: Int, bits: UInt64) {
    append(kind, keep(bits))
  }

  /// Says what an array or object at a place has in it, once the last node of it has been added.
  func close(_ node: Int, isObject: Bool, length: Int) {
    guard node < count else { return }
    let size = count - node
    if length <= Int(STARLING_JSON_MAX_SHORT_COUNT), size <= Int(STARLING_JSON_MAX_SHORT_WORDS) {
      let kind = isObject ? STARLING_JSON_OBJECT : STARLING_JSON_ARRAY
      unsafe words?[node] = JSONTape.word(kind, length | size << 8)
    } else {
      let kind = isObject ? STARLING_JSON_LONG_OBJECT : STARLING_JSON_LONG_ARRAY
      unsafe words?[node] = JSONTape.word(kind, keep(UInt64(length) | UInt64(size) << 32))
    }
  }

  func removeLast() {
    if count > 0 { count -= 1 }
  }

  private static func word(_ kind: Int, _ payload: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: kind | payload << 4)
  }

  private func keep(_ bits: UInt64) -> Int {
    if wideCount == wideCapacity {
      let larger = wideCapacity * 2 + 16
      guard let moved = unsafe realloc(wide, larger * 8) else {
        isIncomplete = true
        return 0
      }
      unsafe wide = moved.assumingMemoryBound(to: UInt64.self)
      wideCapacity = larger
    }
    unsafe wide?[wideCount] = bits
    wideCount += 1
    return wideCount - 1
  }

  private func grow() -> Bool {
    let larger = capacity + capacity / 2 + 256
    guard let moved = unsafe realloc(words, larger * 4) else {
      isIncomplete = true
      return false
    }
    unsafe words = moved.assumingMemoryBound(to: UInt32.self)
    capacity = larger
    return true
  }
}

@available(*, unavailable)
extension JSONTape: Sendable {}
