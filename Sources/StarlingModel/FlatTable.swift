/// A table of plain values that owns its memory alone.
///
/// What asks rules of entities reads such tables millions of times; an array there would have its
/// references counted at each step, which costs more than the question.
@safe
struct FlatTable<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  // Unchecked: a pointer is not Sendable, but this one is never shared and is written under `inout`.
  private var base: UnsafeMutablePointer<Element>
  private(set) var count: Int

  init(repeating element: Element, count: Int) {
    unsafe base = .allocate(capacity: max(1, count))
    unsafe base.initialize(repeating: element, count: count)
    self.count = count
  }

  init(_ elements: [Element]) {
    unsafe base = .allocate(capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() {
      unsafe (base + index).initialize(to: element)
    }
    count = elements.count
  }

  deinit { unsafe base.deallocate() }

  /// - Precondition: the index lies in the table.
  subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// Makes the table at least `newCount` long; what is new is `element`.
  mutating func grow(to newCount: Int, with element: Element) {
    guard newCount > count else { return }
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCount)
    unsafe larger.update(from: base, count: count)
    unsafe (larger + count).initialize(repeating: element, count: newCount - count)
    unsafe base.deallocate()
    unsafe base = larger
    count = newCount
  }

  /// Lends a range of the table.
  @inline(__always)
  func withSpan<Result>(_ range: Range<Int>, _ body: (Span<Element>) -> Result) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let buffer = unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    return body(unsafe buffer.span)
  }

  /// Lends the whole table for writing.
  @inline(__always)
  mutating func withMutableSpan<Result>(_ body: (inout MutableSpan<Element>) -> Result) -> Result {
    let buffer = unsafe UnsafeMutableBufferPointer(start: base, count: count)
    var span = unsafe buffer.mutableSpan
    return body(&span)
  }
}
