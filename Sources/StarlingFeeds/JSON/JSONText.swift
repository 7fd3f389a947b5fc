import CSimdjson
import Glibc

/// The bytes of a JSON document while they come in and after: in one piece, never copied again.
@safe final class JSONText {
  private(set) var base: UnsafeMutablePointer<UInt8>?
  private(set) var count = 0
  private var capacity = 0

  init() {
    unsafe base = nil
  }

  deinit {
    unsafe free(base)
  }

  /// - Throws: `.tooLarge` beyond 256 MB, `.library` when there is no memory.
  func append(_ piece: UnsafeBufferPointer<UInt8>) throws(FeedError) {
    guard let source = piece.baseAddress, piece.count > 0 else { return }
    try reserve(count + piece.count)
    guard let base = unsafe base else { return }
    unsafe memcpy(base + count, source, piece.count)
    count += piece.count
  }

  /// The place of the first byte that belongs to no UTF-8 sequence; nil when all do.
  var firstBadByte: Int? {
    let bytes = unsafe UnsafeBufferPointer(start: base, count: count)
    if unsafe UTF8Validation.isValid(bytes) { return nil }
    var copy: [UInt8] = []
    return unsafe UTF8Validation.copyRepaired(bytes, to: &copy).first
  }

  /// The bytes, followed by as many blanks as the parser reads beyond the end.
  func padded() throws(FeedError) -> UnsafeMutablePointer<UInt8> {
    let padding = starling_json_padding()
    try reserve(count)
    guard let base = unsafe base else { throw .library("out of memory") }
    unsafe memset(base + count, 0x20, padding)
    return unsafe base
  }

  private func reserve(_ needed: Int) throws(FeedError) {
    let limit = Int(STARLING_JSON_MAX_BYTES)
    guard needed <= limit else { throw .tooLarge(limitBytes: limit) }
    let padding = starling_json_padding()
    guard needed + padding > capacity else { return }
    let larger = needed + needed / 2 + padding
    guard let moved = unsafe realloc(base, larger) else { throw .library("out of memory") }
    unsafe base = moved.assumingMemoryBound(to: UInt8.self)
    capacity = larger
  }
}
