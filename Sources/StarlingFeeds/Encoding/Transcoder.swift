import Glibc

/// Converts a charset to UTF-8 piece by piece, with iconv. A byte that the charset does not have
/// costs one U+FFFD.
@safe final class Transcoder {
  private let converter: iconv_t
  private var pending: [UInt8] = []
  /// How many bytes were replaced.
  private(set) var replaced = 0

  /// Nil when iconv has no converter for the charset.
  init?(_ charset: Charset) {
    guard let opened = unsafe iconv_open("UTF-8", charset.name),
      unsafe opened != iconv_t(bitPattern: -1)
    else { return nil }
    unsafe converter = opened
  }

  deinit {
    _ = unsafe iconv_close(converter)
  }

  static func isKnown(_ label: String) -> Bool {
    guard let opened = unsafe iconv_open("UTF-8", label), unsafe opened != iconv_t(bitPattern: -1)
    else { return false }
    _ = unsafe iconv_close(opened)
    return true
  }

  /// Appends the UTF-8 of a piece; what a character's end is missing for waits for the next one.
  func convert(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool, to output: inout [UInt8]) {
    var input: [UInt8] = []
    swap(&input, &pending)
    unsafe input.append(contentsOf: piece)
    var at = 0
    while at < input.count {
      let (used, problem) = step(&input, from: at, to: &output)
      at += used
      guard problem != E2BIG, at < input.count else { continue }
      if problem == EINVAL, !isLast, input.count - at < 8 { break }
      if problem == 0 { continue }
      output.append(contentsOf: [0xEF, 0xBF, 0xBD])
      replaced += 1
      at += 1
    }
    pending.append(contentsOf: input[at...])
  }

  private func step(
    _ input: inout [UInt8], from start: Int, to output: inout [UInt8]
  ) -> (used: Int, problem: Int32) {
    unsafe input.withUnsafeMutableBytes { bytes in
      unsafe withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { room in
        var from = unsafe bytes.baseAddress.map {
          unsafe ($0 + start).assumingMemoryBound(to: CChar.self)
        }
        var fromLeft = bytes.count - start
        var to = unsafe room.baseAddress?.assumingMemoryBound(to: CChar.self)
        var toLeft = room.count
        let result = unsafe iconv(converter, &from, &fromLeft, &to, &toLeft)
        let problem = result == -1 ? errno : 0
        unsafe output.append(contentsOf: room[..<(room.count - toLeft)])
        return (bytes.count - start - fromLeft, problem)
      }
    }
  }
}
