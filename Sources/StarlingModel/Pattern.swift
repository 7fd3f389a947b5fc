import CPCRE2

/// A regular expression (pcre2pattern(3)) that is looked for in UTF-8 without regard to case.
///
/// A search ends after a bounded number of steps, some ten milliseconds, whatever the expression.
@safe
final class Pattern: @unchecked Sendable {
  // Sendable because a compiled expression is never changed, and PCRE2 lets threads share it
  // (pcre2api(3), "Multithreading").
  private let compiled: OpaquePointer

  enum Answer {
    case found(Range<Int>)
    case none
    /// The steps were used up before there was an answer.
    case undecided
  }

  /// Why an expression does not parse.
  struct Fault: Error {
    var message: String
    /// The byte of the expression at fault, from 0.
    var offset: Int
  }

  /// The longest expression, in bytes: a longer one takes too long to be compiled.
  static let longest = 64 << 10

  init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Pattern.longest else {
      throw Fault(message: "longer than \(Pattern.longest >> 10) KB", offset: 0)
    }
    var text = text
    var message = [CChar](repeating: 0, count: 256)
    var offset = 0
    let made = text.withUTF8 { bytes in
      unsafe message.withUnsafeMutableBufferPointer { message in
        unsafe starling_pattern_compile(
          bytes.baseAddress, bytes.count, message.baseAddress, &offset)
      }
    }
    guard let made = unsafe made else {
      let words = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw Fault(message: String(decoding: words, as: UTF8.self), offset: offset)
    }
    unsafe compiled = made
  }

  deinit {
    unsafe starling_pattern_free(compiled)
  }

  /// Where it stands first.
  func find(in text: Span<UInt8>) -> Answer {
    var place = (0, 0)
    let result = unsafe text.withUnsafeBufferPointer { bytes in
      unsafe withUnsafeMutablePointer(to: &place) { place in
        unsafe place.withMemoryRebound(to: Int.self, capacity: 2) { range in
          unsafe starling_pattern_find(compiled, bytes.baseAddress, bytes.count, range)
        }
      }
    }
    switch Int(result) {
    case STARLING_PATTERN_FOUND:
      // \K may set the beginning behind the end.
      return .found(min(place.0, place.1)..<max(place.0, place.1))
    case STARLING_PATTERN_NONE: return .none
    default: return .undecided
    }
  }
}
