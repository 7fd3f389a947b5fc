/// A count in words: `1 rule`, `2 rules`.
package enum CountText {
  /// - Parameters:
  ///   - one: what is counted, when there is one.
  ///   - many: the same of any other number; `one` with an `s` when left out.
  package static func of(_ count: some BinaryInteger, _ one: String, _ many: String? = nil)
    -> String
  {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }
}
