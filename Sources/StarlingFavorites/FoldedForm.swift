import StarlingModel

/// The fold of a text, where it is more than what an index without regard to ASCII case knows.
enum FoldedForm {
  /// Whether a text's fold differs from the text in ASCII lower case; then `form` is the fold.
  ///
  /// SQLite's NOCASE stops at a NUL, so a text with one counts as different.
  static func differs(_ text: UnsafeRawBufferPointer, form: inout [UInt8]) -> Bool {
    if unsafe text.allSatisfy({ $0 < 0x80 && $0 != 0 }) { return false }
    form = TextFold.folded(unsafe Span<UInt8>(_bytes: RawSpan(_unsafeBytes: text)))
    guard form.count == text.count else { return true }
    for place in 0..<text.count {
      let byte = unsafe text[place]
      let lower = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
      if byte == 0 || lower != form[place] { return true }
    }
    return false
  }
}
