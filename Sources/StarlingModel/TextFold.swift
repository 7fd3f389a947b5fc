/// Case folding on UTF-8, for matching without regard to case in every script.
///
/// A text is folded once; a needle is then found in it by its bytes (`TextSearch`). UTF-8 keeps the
/// borders of scalars apart, so a byte search never finds half a character. Accents and width are
/// kept: `é` is not `e`. Bytes that are no UTF-8 stay as they are.
package enum TextFold {
  /// The fold of a text.
  package static func folded(_ text: String) -> [UInt8] {
    folded(Array(text.utf8).span)
  }

  /// The fold of UTF-8.
  package static func folded(_ source: Span<UInt8>) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: capacity(for: source.count))
    var target = result.mutableSpan
    let end = fold(source, into: &target, at: 0)
    result.removeSubrange(end...)
    return result
  }

  /// Bytes that the fold of `count` bytes may take: a scalar of two bytes can become one of three.
  static func capacity(for count: Int) -> Int {
    count + count / 2 + 8
  }

  /// Writes the fold of `source` to `target` from `start` on and returns where it ends.
  ///
  /// `target` has at least `capacity(for: source.count)` bytes from `start` on.
  static func fold(
    _ source: Span<UInt8>, into target: inout MutableSpan<UInt8>, at start: Int
  ) -> Int {
    var read = 0
    var write = start
    let count = source.count
    while read < count {
      let byte = source[read]
      if byte < 0x80 || byte >= 0xE3 && byte <= 0xE9 {
        let end = foldPlain(source, from: read, into: &target, at: write)
        write += end - read
        guard end == read else {
          read = end
          continue
        }
      }
      if byte < 0x80 {
        repeat {
          target[write] = lowered(source[read])
          read += 1
          write += 1
        } while read < count && source[read] < 0x80
      } else if byte >= 0xE3, byte <= 0xE9, read + 3 <= count {
        // U+3000 to U+9FFF: kana and ideographs, which have no case.
        for offset in 0..<3 { target[write + offset] = source[read + offset] }
        read += 3
        write += 3
      } else {
        (read, write) = foldScalars(source, from: read, into: &target, at: write)
      }
    }
    return write
  }

  /// Folds ASCII, kana and ideographs, eight bytes at a time, and returns where they end in
  /// `source`, which may be between the bytes of a scalar.
  @inline(__always)
  private static func foldPlain(
    _ source: Span<UInt8>, from start: Int, into target: inout MutableSpan<UInt8>, at write: Int
  ) -> Int {
    var read = start
    let raw = unsafe source.bytes
    while read + 8 <= source.count {
      let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: read, as: UInt64.self)
      guard isPlain(word) else { break }
      var rawTarget = unsafe target.mutableBytes
      rawTarget.storeBytes(
        of: lowered(word), toByteOffset: write + read - start, as: UInt64.self)
      read += 8
    }
    // The last eight again, of which the first are folded already, rather than bytes one by one.
    if read < source.count, source.count - start >= 8, read + 8 > source.count {
      let last = source.count - 8
      let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: last, as: UInt64.self)
      if isPlain(word) {
        var rawTarget = unsafe target.mutableBytes
        rawTarget.storeBytes(
          of: lowered(word), toByteOffset: write + last - start, as: UInt64.self)
        return source.count
      }
    }
    return read
  }

  /// Whether eight bytes begin nothing but ASCII and what begins with E3 to E9: U+3000 to U+9FFF,
  /// which have no case.
  @inline(__always)
  private static func isPlain(_ word: UInt64) -> Bool {
    let leads = word & word << 1 & highBits
    if leads == 0 { return true }
    let low = word & ~highBits
    let fromE3 = low &+ 0x1D1D_1D1D_1D1D_1D1D
    let pastE9 = low &+ 0x1616_1616_1616_1616
    return leads & ~(fromE3 ^ pastE9) == 0
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Eight bytes with their ASCII letters in lower case: the high bit of a byte's sum tells whether
  /// it is at least `A` and not yet past `Z`; moved by two it is the bit that makes a letter small.
  @inline(__always)
  private static func lowered(_ word: UInt64) -> UInt64 {
    let low = word & ~highBits
    let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let pastZ = low &+ 0x2525_2525_2525_2525
    return word | ((fromA ^ pastZ) & ~word & highBits) >> 2
  }

  /// The ASCII letters and digits that eight bytes begin with, in small letters, and how many there
  /// are. The first byte is the lowest.
  @inline(__always)
  static func letters(_ word: UInt64) -> (bytes: UInt64, count: Int) {
    let lower = lowered(word)
    let low = lower & ~highBits
    let letters = (low &+ 0x1F1F_1F1F_1F1F_1F1F) ^ (low &+ 0x0505_0505_0505_0505)
    let digits = (low &+ 0x5050_5050_5050_5050) ^ (low &+ 0x4646_4646_4646_4646)
    let others = (~(letters | digits) | word) & highBits
    return (lower, others == 0 ? 8 : others.trailingZeroBitCount >> 3)
  }

  @inline(__always)
  static func lowered(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// Folds a run of scalars that are not ASCII, and returns where it ends on both sides. The table is
  /// asked for once a run, and not at all for most texts.
  private static func foldScalars(
    _ source: Span<UInt8>, from start: Int, into target: inout MutableSpan<UInt8>, at place: Int
  ) -> (read: Int, write: Int) {
    let short = CaseFoldTable.short
    var (read, write) = (start, place)
    while read < source.count, source[read] >= 0x80 {
      (read, write) = foldScalar(source, from: read, into: &target, at: write, short.span)
    }
    return (read, write)
  }

  /// Folds the scalar at `read`, which is not ASCII, and returns where it ends on both sides.
  @inline(__always)
  private static func foldScalar(
    _ source: Span<UInt8>, from read: Int, into target: inout MutableSpan<UInt8>, at write: Int,
    _ short: Span<UInt16>
  ) -> (read: Int, write: Int) {
    let (scalar, length) = decode(source, at: read)
    let folded =
      scalar == invalid
      ? invalid : length == 2 ? UInt32(short[Int(scalar) - 0x80]) : CaseFoldTable.fold(scalar)
    guard folded == scalar else {
      return (read + length, encode(folded, into: &target, at: write))
    }
    for offset in 0..<length { target[write + offset] = source[read + offset] }
    return (read + length, write + length)
  }

  /// What `decode` gives for a byte that begins no scalar.
  static let invalid: UInt32 = 0xFFFF_FFFF

  /// The scalar at `index` and its length in bytes; `invalid` and 1 for what is no UTF-8.
  @inline(__always)
  static func decode(_ source: Span<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
    let lead = source[index]
    if lead < 0x80 { return (UInt32(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard lead >= 0xC2, lead < 0xF5, index + length <= source.count else { return (invalid, 1) }
    var scalar = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = source[index + offset]
      guard byte & 0xC0 == 0x80 else { return (invalid, 1) }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    let isOverlong = length == 3 && scalar < 0x800 || length == 4 && scalar < 0x10000
    let isNoScalar = scalar > 0x10FFFF || scalar >= 0xD800 && scalar < 0xE000
    return isOverlong || isNoScalar ? (invalid, 1) : (scalar, length)
  }

  /// Writes a scalar above U+007F as UTF-8 and returns where it ends.
  @inline(__always)
  static func encode(
    _ scalar: UInt32, into target: inout MutableSpan<UInt8>, at start: Int
  ) -> Int {
    let length = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
    let marks: UInt32 = length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
    var rest = scalar
    for offset in stride(from: length - 1, to: 0, by: -1) {
      target[start + offset] = UInt8(truncatingIfNeeded: rest & 0x3F | 0x80)
      rest >>= 6
    }
    target[start] = UInt8(truncatingIfNeeded: marks | rest)
    return start + length
  }
}
