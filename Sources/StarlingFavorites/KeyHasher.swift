/// Hashes keys with a secret of its own: two lanes of folded 64-bit products, as wyhash has it.
struct KeyHasher {
  private let secrets: (UInt64, UInt64, UInt64, UInt64)

  init() {
    var random = SystemRandomNumberGenerator()
    secrets = (random.next() | 1, random.next() | 1, random.next() | 1, random.next() | 1)
  }

  func fingerprint(_ key: UnsafeRawBufferPointer) -> Fingerprint {
    var first = secrets.0 ^ UInt64(truncatingIfNeeded: key.count)
    var second = secrets.1
    var place = 0
    while place + 16 <= key.count {
      let low = unsafe key.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let high = unsafe key.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
      mix(low, high, &first, &second)
      place += 16
    }
    var low: UInt64 = 0
    var high: UInt64 = 0
    if key.count - place >= 8 {
      low = unsafe key.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < key.count {
      high = high << 8 | UInt64(unsafe key[place])
      place += 1
    }
    mix(low, high, &first, &second)
    let result = Fingerprint(
      first: KeyHasher.fold(first ^ secrets.1, second ^ secrets.0),
      second: KeyHasher.fold(second ^ secrets.2, (first << 32 | first >> 32) ^ secrets.3))
    return result == .empty ? Fingerprint(first: 1, second: 0) : result
  }

  func fingerprint(_ key: [UInt8]) -> Fingerprint {
    unsafe key.span.bytes.withUnsafeBytes { key in unsafe fingerprint(key) }
  }

  @inline(__always)
  private func mix(_ low: UInt64, _ high: UInt64, _ first: inout UInt64, _ second: inout UInt64) {
    first = KeyHasher.fold(low ^ secrets.2, high ^ first)
    second = KeyHasher.fold(low ^ second, high ^ secrets.3)
  }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
