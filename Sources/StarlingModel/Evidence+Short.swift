extension Evidence {
  /// Bytes of what was seen, and of what was asked, that are kept: a cause is kept for each favorite,
  /// and what a text or a rule's word says may be megabytes.
  package static let longest = 1_000

  /// Evidence of which long texts are cut.
  package init(shortened field: String, value: String, condition: String) {
    self.init(
      field: field, value: value.shortened(toBytes: Evidence.longest),
      condition: condition.shortened(toBytes: Evidence.longest))
  }
}

extension String {
  /// The text, or its beginning with an ellipsis.
  package func shortened(toBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: most)
    while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
