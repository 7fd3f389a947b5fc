/// Guesses the charset of a text that declares none and is not UTF-8.
enum CharsetDetector {
  static func detect(_ bytes: [UInt8]) -> Charset? {
    nil
  }
}
