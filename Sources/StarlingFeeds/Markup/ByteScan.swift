import Glibc

/// Searches over bytes that the hot loops share.
enum ByteScan {
  /// The first place from `start` on of a `<`, a `&` or a control character that XML forbids, or
  /// the count.
  static func markup(_ input: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let open = SIMD16<UInt8>(repeating: 0x3C)
    let ampersand = SIMD16<UInt8>(repeating: 0x26)
    let blank = SIMD16<UInt8>(repeating: 0x20)
    var at = start
    while at + 16 <= input.count, let base = input.baseAddress {
      let block = unsafe UnsafeRawPointer(base + at).loadUnaligned(as: SIMD16<UInt8>.self)
      let hit = (block .== open) .| (block .== ampersand) .| (block .< blank)
      if any(hit) {
        let stop = at + 16
        while at < stop {
          let byte = unsafe input[at]
          if byte == 0x3C || byte == 0x26 || isForbidden(byte) { return at }
          at += 1
        }
      } else {
        at += 16
      }
    }
    while at < input.count {
      let byte = unsafe input[at]
      if byte == 0x3C || byte == 0x26 || isForbidden(byte) { return at }
      at += 1
    }
    return at
  }

  /// The first place from `start` on of a control character that XML forbids, or `end`.
  static func control(_ input: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    let blank = SIMD16<UInt8>(repeating: 0x20)
    var at = start
    while at + 16 <= end, let base = input.baseAddress {
      let block = unsafe UnsafeRawPointer(base + at).loadUnaligned(as: SIMD16<UInt8>.self)
      if any(block .< blank) {
        let stop = at + 16
        while at < stop {
          if isForbidden(unsafe input[at]) { return at }
          at += 1
        }
      } else {
        at += 16
      }
    }
    while at < end {
      if isForbidden(unsafe input[at]) { return at }
      at += 1
    }
    return end
  }

  /// The first place from `start` on of `text`, or nil.
  static func find(
    _ text: StaticString, in input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let base = input.baseAddress else { return nil }
    let count = text.utf8CodeUnitCount
    let first = unsafe Int32(text.utf8Start[0])
    var at = start
    while at + count <= input.count {
      guard let found = unsafe memchr(base + at, first, input.count - at - count + 1) else {
        return nil
      }
      at = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if unsafe has(text, in: input, at: at) { return at }
      at += 1
    }
    return nil
  }

  /// The first place from `start` on of a byte, or nil.
  static func find(
    _ byte: UInt8, in input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard start < input.count, let base = input.baseAddress,
      let found = unsafe memchr(base + start, Int32(byte), input.count - start)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  static func has(
    _ text: StaticString, in input: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= input.count, let base = input.baseAddress else { return false }
    return unsafe memcmp(base + place, text.utf8Start, count) == 0
  }

  @inline(__always) static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
  }

  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether a byte can begin a name; all of UTF-8's multi-byte sequences may (`NameScan` knows which).
  @inline(__always) static func isNameStart(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte == 0x3A || byte >= 0x80
  }

  @inline(__always) static func isName(_ byte: UInt8) -> Bool {
    isNameStart(byte) || (byte >= 0x30 && byte <= 0x39) || byte == 0x2D || byte == 0x2E
  }

  @inline(__always) static func lower(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
