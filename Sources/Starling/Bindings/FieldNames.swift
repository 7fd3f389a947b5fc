import StarlingLua

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The names of a table's fields in one buffer: a String for each would take several times the
/// memory that a script was given for them.
struct FieldNames {
  private(set) var bytes: [UInt8] = []
  /// Where each name lies in `bytes`.
  private(set) var ranges: [Range<Int>] = []

  mutating func append(_ name: UnsafeRawBufferPointer) {
    let start = bytes.count
    unsafe bytes.append(contentsOf: name)
    ranges.append(start..<bytes.count)
  }

  /// Sorts the names as bytes, and has `check` asked after each megabyte that was compared: names may
  /// be long and differ at their ends alone.
  mutating func sort(_ check: () throws(LuaError) -> Void) throws(LuaError) {
    var sorted = ranges
    var compared = 0
    var failure: LuaError?
    unsafe bytes.withUnsafeBytes { buffer in
      sorted.sort { a, b in
        // A sort without an order ends as soon as any other.
        guard failure == nil else { return false }
        let shared = min(a.count, b.count)
        compared += shared + 16
        if compared > 1 << 20 {
          compared = 0
          do throws(LuaError) { try check() } catch { failure = error }
        }
        guard let start = buffer.baseAddress else { return false }
        let order = unsafe memcmp(start + a.lowerBound, start + b.lowerBound, shared)
        return order != 0 ? order < 0 : a.count < b.count
      }
    }
    if let failure { throw failure }
    ranges = sorted
  }

  /// A name as a message shows it.
  func text(_ place: Int) -> String {
    String(decoding: bytes[ranges[place]].prefix(60), as: UTF8.self)
  }
}
