/// 128 bits that stand for contents, to tell whether something is the same as it was.
///
/// Two lanes of folded 64-bit products, as wyhash has it, with fixed secrets: what is kept in a file
/// is compared in another process. It is no defense against somebody who looks for collisions; who
/// publishes a feed with them harms that feed alone.
package struct ContentHash: Hashable, Sendable {
  package private(set) var first: UInt64 = 0x9E37_79B9_7F4A_7C15
  package private(set) var second: UInt64 = 0xD1B5_4A32_D192_ED03

  package init() {}

  package init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  package mutating func add(_ number: UInt64) {
    mix(number, 0x2545_F491_4F6C_DD1D)
  }

  package mutating func add(_ number: Int) {
    add(UInt64(bitPattern: Int64(number)))
  }

  package mutating func add(_ text: String) {
    add(Array(text.utf8).span)
  }

  package mutating func add(_ text: String?) {
    add(text == nil ? 0 : 1)
    if let text { add(text) }
  }

  /// Adds bytes and their count.
  package mutating func add(_ span: Span<UInt8>) {
    let bytes = unsafe span.bytes
    var place = 0
    while place + 16 <= span.count {
      let low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
      let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
      mix(low, high)
      place += 16
    }
    var low: UInt64 = 0
    var high = UInt64(truncatingIfNeeded: span.count)
    if span.count - place >= 8 {
      low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    var rest: UInt64 = 0
    while place < span.count {
      rest = rest << 8 | UInt64(span[place])
      place += 1
    }
    high ^= rest << 8
    mix(low, high)
  }

  package mutating func add(_ range: Range<Int>) {
    add(
      UInt64(truncatingIfNeeded: range.lowerBound) << 32 | UInt64(truncatingIfNeeded: range.count))
  }

  @inline(__always)
  private mutating func mix(_ low: UInt64, _ high: UInt64) {
    first = ContentHash.fold(low ^ 0xA076_1D64_78BD_642F, high ^ first)
    second = ContentHash.fold(low ^ second, high ^ 0xE703_7ED1_A0B4_28DB)
  }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low ^ left
  }
}

extension EntityRecord {
  /// What stands for the key and all values.
  package var contentHash: ContentHash {
    var hash = ContentHash()
    let bytes = bytes.span
    hash.add(bytes.extracting(key))
    for slot in slots {
      switch slot {
      case .absent: hash.add(UInt64(0))
      case .text(let range):
        hash.add(UInt64(1))
        hash.add(bytes.extracting(range))
      case .integer(let number):
        hash.add(UInt64(2))
        hash.add(UInt64(bitPattern: number))
      case .real(let number):
        hash.add(UInt64(3))
        hash.add(number.bitPattern)
      case .boolean(let flag): hash.add(UInt64(flag ? 4 : 5))
      case .time(let seconds):
        hash.add(UInt64(6))
        hash.add(UInt64(bitPattern: seconds))
      case .money(let place):
        let money = moneys[place]
        hash.add(UInt64(7))
        for amount in [money.low, money.high] { hash.add(amount?.bitPattern ?? .max) }
        if let currency = money.currency { hash.add(bytes.extracting(currency)) }
        hash.add(bytes.extracting(money.text))
      case .list(let elements):
        hash.add(UInt64(8))
        hash.add(elements.count)
        for element in elements { hash.add(bytes.extracting(items[element])) }
      }
    }
    return hash
  }
}
