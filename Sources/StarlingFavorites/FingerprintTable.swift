/// A set of fingerprints in one piece of memory: 16 bytes in each place, five places in eight taken.
@safe
struct FingerprintTable: ~Copyable {
  private let base: UnsafeMutablePointer<Fingerprint>
  private let places: Int

  /// - Parameter expected: how many will be inserted, at most.
  init(expecting expected: Int) {
    places = expected * 8 / 5 + 8
    unsafe base = .allocate(capacity: places)
    unsafe base.initialize(repeating: .empty, count: places)
  }

  deinit { unsafe base.deallocate() }

  func contains(_ wanted: Fingerprint) -> Bool {
    unsafe base[place(of: wanted)] == wanted
  }

  /// Inserts what is not there. The table's own memory is what changes, and its owner sees to it that
  /// nobody asks meanwhile: a change of the value would be checked at run time, at each key.
  func insert(_ fingerprint: Fingerprint) {
    unsafe base[place(of: fingerprint)] = fingerprint
  }

  /// Where a fingerprint is, or the free place where it belongs.
  @inline(__always)
  private func place(of fingerprint: Fingerprint) -> Int {
    var place = Int(
      truncatingIfNeeded: fingerprint.first.multipliedFullWidth(by: UInt64(places)).high)
    while true {
      let present = unsafe base[place]
      if present == fingerprint || present == .empty { return place }
      place += 1
      if place == places { place = 0 }
    }
  }
}

/// 128 bits that stand for a key.
struct Fingerprint: Equatable {
  var first: UInt64
  var second: UInt64

  static let empty = Fingerprint(first: 0, second: 0)
}
