import Glibc

/// Bytes that grow at their end, for loops that append a few at a time: an Array checks with each
/// append whether it is shared, which here it never is.
@safe final class ByteBuffer {
  private var base: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 1 << 10) {
    self.capacity = capacity
    unsafe base = .allocate(capacity: capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  @inline(__always) var bytes: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: base, count: count)
  }

  /// The bytes from a place on, copied.
  func copy(from start: Int) -> [UInt8] {
    unsafe Array(bytes[min(start, count)...])
  }

  @inline(__always) func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    unsafe base[count] = byte
    count &+= 1
  }

  @inline(__always) func append(_ source: UnsafePointer<UInt8>?, _ length: Int) {
    guard length > 0, let source = unsafe source else { return }
    if capacity - count < length { grow(by: length) }
    unsafe memcpy(base + count, source, length)
    count &+= length
  }

  @inline(__always) func append(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    guard let source = bytes.baseAddress else { return }
    unsafe append(source + range.lowerBound, range.count)
  }

  @inline(__always) func append(_ text: StaticString) {
    unsafe append(text.utf8Start, text.utf8CodeUnitCount)
  }

  func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append($0.baseAddress, $0.count) }
  }

  func append(scalar: Unicode.Scalar) {
    if let units = UTF8.encode(scalar) { for unit in units { append(unit) } }
  }

  /// Keeps the bytes before a place.
  @inline(__always) func truncate(to place: Int) {
    if place < count { count = max(place, 0) }
  }

  @inline(never) private func grow(by length: Int) {
    let larger = max(capacity * 2, count + length)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memcpy(moved, base, count)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }
}

@available(*, unavailable)
extension ByteBuffer: Sendable {}
