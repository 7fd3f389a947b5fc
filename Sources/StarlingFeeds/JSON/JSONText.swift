import CSimdjson
import Glibc

/// The bytes of a JSON document while they come in and after: in one piece, never copied again.
@safe final class JSONText {
  private(set) var base: UnsafeMutablePointer<UInt8>?
  private(set) var count = 0
  private(set) var capacity = 0

  init() {
    unsafe base = nil
  }

  deinit {
    unsafe free(base)
  }

  var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: base, count: count) }

  /// - Throws: `.tooLarge` beyond 256 MB, `.library` when there is no memory.
  func append(_ piece: UnsafeBufferPointer<UInt8>) throws(FeedError) {
    guard let source = piece.baseAddress, piece.count > 0 else { return }
    try reserve(count + piece.count)
    guard let base = unsafe base else { return }
    unsafe memcpy(base + count, source, piece.count)
    count += piece.count
  }

  /// Room for one byte more than the text has, which a text that a cut document ends in needs to be
  /// ended.
  private func reserve(_ needed: Int) throws(FeedError) {
    let limit = Int(STARLING_JSON_MAX_BYTES)
    guard needed <= limit else { throw .tooLarge(limitBytes: limit) }
    guard needed >= capacity else { return }
    let larger = needed + needed / 2 + 64
    guard let moved = unsafe realloc(base, larger) else { throw .library("out of memory") }
    unsafe base = moved.assumingMemoryBound(to: UInt8.self)
    capacity = larger
  }
}
