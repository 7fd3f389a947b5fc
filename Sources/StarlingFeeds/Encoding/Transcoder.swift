import Glibc

/// Converts a charset to UTF-8 piece by piece, with iconv. A byte that the charset does not have, or
/// a unit of UTF-16 or UTF-32, costs one U+FFFD.
@safe final class Transcoder {
  private let charset: Charset
  private let converter: iconv_t
  private var pending: [UInt8] = []
  /// How many bytes were replaced, and where the first of them was.
  private(set) var replaced = 0
  private(set) var firstReplaced = 0
  /// How many bytes came in before `pending`, and went out.
  private var consumed: Int
  private var produced = 0
  /// The last pieces, with where they and what they became begin: to find places in them again.
  private var recent: [(text: Int, source: Int, bytes: [UInt8])] = []
  /// Where pieces begin, and where the text goes on behind a byte that was replaced.
  private var starts = OffsetMap()

  /// Nil when iconv has no converter for the charset.
  ///
  /// - Parameter skipped: how many bytes of the document came before the first that is given.
  init?(_ charset: Charset, skipped: Int = 0) {
    guard let opened = unsafe iconv_open("UTF-8", charset.name),
      unsafe opened != iconv_t(bitPattern: -1)
    else { return nil }
    unsafe converter = opened
    self.charset = charset
    consumed = skipped
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
    let before = output.count
    starts.add(text: produced, source: consumed)
    let at = convert(&input, isLast: isLast, to: &output)
    pending.append(contentsOf: input[at...])
    recent.append((produced, consumed, input))
    if recent.count > 2 { recent.removeFirst() }
    consumed += at
    produced += output.count - before
  }

  /// The byte of the document that a byte of the text came from: exact for the last two pieces.
  func source(of text: Int) -> Int {
    guard let piece = recent.last(where: { $0.text <= text }) ?? recent.first,
      text >= piece.text, let again = Transcoder(charset)
    else { return text }
    var bytes = piece.bytes
    var output: [UInt8] = []
    let limit = text - piece.text
    let used = again.convert(&bytes, isLast: true, to: &output, limit: limit)
    return piece.source + used
  }

  /// The same for a text that is held whole, exact at any place: what lies between the last known
  /// place and this one is converted back, to see how long it was.
  func source(of text: Int, in whole: UnsafeBufferPointer<UInt8>) -> Int {
    let known = starts.entry(before: text) ?? (text: 0, source: 0)
    guard known.text < text, text <= whole.count,
      let opened = unsafe iconv_open(charset.name, "UTF-8"),
      unsafe opened != iconv_t(bitPattern: -1)
    else { return known.source }
    defer { _ = unsafe iconv_close(opened) }
    var bytes = unsafe Array(whole[known.text..<text])
    var length = 0
    var at = 0
    while at < bytes.count {
      var output: [UInt8] = []
      let (used, problem) = unsafe Transcoder.step(
        opened, &bytes, from: at, to: &output, room: 16384)
      length += output.count
      at += used
      if problem != 0, problem != E2BIG { break }
    }
    return known.source + length
  }

  /// Converts up to the end, or to where `limit` bytes have gone out.
  private func convert(
    _ input: inout [UInt8], isLast: Bool, to output: inout [UInt8], limit: Int = .max
  ) -> Int {
    let start = output.count
    var at = 0
    while at < input.count, output.count - start < limit {
      let room = min(limit - (output.count - start), 16384)
      let (used, problem) = unsafe Transcoder.step(
        converter, &input, from: at, to: &output, room: room)
      at += used
      if problem == E2BIG, used == 0 { break }
      guard problem != E2BIG, at < input.count else { continue }
      if problem == EINVAL, !isLast, input.count - at < 8 { break }
      if problem == 0 { continue }
      output.append(contentsOf: [0xEF, 0xBF, 0xBD])
      if replaced == 0 { firstReplaced = consumed + at }
      replaced += 1
      at += min(charset.unitBytes, input.count - at)
      starts.add(text: produced + output.count - start, source: consumed + at)
    }
    if isLast { flush(to: &output) }
    return at
  }

  /// Gives what the converter holds back: the last letter of a charset with marks that may follow it
  /// (windows-1258).
  private func flush(to output: inout [UInt8]) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { room in
      var to = unsafe room.baseAddress?.assumingMemoryBound(to: CChar.self)
      var toLeft = room.count
      _ = unsafe iconv(converter, nil, nil, &to, &toLeft)
      unsafe output.append(contentsOf: room[..<(room.count - toLeft)])
    }
  }

  private static func step(
    _ converter: iconv_t, _ input: inout [UInt8], from start: Int, to output: inout [UInt8],
    room: Int
  ) -> (used: Int, problem: Int32) {
    unsafe input.withUnsafeMutableBytes { bytes in
      unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { room in
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
