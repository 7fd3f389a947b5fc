/// How often calls took how long, in steps of an eighth to a quarter: enough for a median, and small
/// enough to be kept.
struct TimeHistogram: Equatable, Sendable {
  /// Counts by step; a step's time is `TimeHistogram.nanoseconds`.
  private(set) var counts: [Int: Int] = [:]
  /// The longest, exactly.
  private(set) var worst: UInt64 = 0

  /// No number of calls is above; a file may say anything.
  private static let most = 1 << 50

  mutating func add(_ nanoseconds: UInt64) {
    add(TimeHistogram.step(nanoseconds), count: 1)
    worst = max(worst, nanoseconds)
  }

  mutating func add(_ other: TimeHistogram) {
    for (step, count) in other.counts { add(step, count: count) }
    worst = max(worst, other.worst)
  }

  mutating func add(_ step: Int, count: Int) {
    guard (0..<260).contains(step), count > 0 else { return }
    counts[step] = min((counts[step] ?? 0) + min(count, TimeHistogram.most), TimeHistogram.most)
  }

  mutating func raiseWorst(to nanoseconds: UInt64) { worst = max(worst, nanoseconds) }

  /// The time that half of the calls did not pass; 0 without a call.
  var median: UInt64 {
    let total = counts.values.reduce(0) { $0 &+ $1 }
    var left = (total + 1) / 2
    for (step, count) in counts.sorted(by: { $0.key < $1.key }) {
      left -= count
      if left <= 0 { return min(TimeHistogram.nanoseconds(step), worst) }
    }
    return 0
  }

  /// Four steps for each doubling.
  private static func step(_ nanoseconds: UInt64) -> Int {
    let value = max(4, nanoseconds)
    let exponent = 63 - value.leadingZeroBitCount
    return exponent * 4 + Int(truncatingIfNeeded: value >> (UInt64(exponent) - 2) & 3)
  }

  /// The middle of a step.
  private static func nanoseconds(_ step: Int) -> UInt64 {
    let exponent = UInt64(max(2, min(61, step / 4)))
    let quarter = UInt64(step % 4)
    return ((4 + quarter) << (exponent - 2)) + (1 << (exponent - 2)) / 2
  }
}
