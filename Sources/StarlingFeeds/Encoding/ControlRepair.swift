/// Puts right what has to be right before text is taken as XML: line ends become U+000A (XML 1.0,
/// 2.11), and the characters U+0080 to U+009F, which are no text, become what publishers who write
/// them mean: bytes of windows-1252 that somebody took for Latin-1, such as U+0092 for an apostrophe.
enum ControlRepair {
  /// The repaired text, or nil when there is nothing to repair.
  ///
  /// - Parameters:
  ///   - offsets: learns where what follows a repair stood.
  ///   - source: the place of this piece in all text so far; `target` that of the result.
  static func repaired(
    _ text: UnsafeBufferPointer<UInt8>, offsets: inout OffsetMap, from source: Int, to target: Int
  ) -> [UInt8]? {
    var control = unsafe nextControl(text, from: 0)
    var line = unsafe ByteScan.find(0x0D, in: text, from: 0) ?? text.count
    guard control < text.count || line < text.count else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count + 64)
    var start = 0
    while control < text.count || line < text.count {
      let at = min(control, line)
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<at]))
      if at == line {
        start = at + 1
        let isPair = unsafe start < text.count && text[start] == 0x0A
        if !isPair { output.append(0x0A) }
        line = unsafe ByteScan.find(0x0D, in: text, from: start) ?? text.count
      } else {
        let code = unsafe UInt32(text[at + 1])
        if let scalar = Entities.scalar(number: code) { output.append(scalar: scalar) }
        start = at + 2
        control = unsafe nextControl(text, from: start)
      }
      offsets.add(text: target + output.count, source: source + start)
    }
    unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    return output
  }

  private static func nextControl(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var at = start
    while let found = unsafe ByteScan.find(0xC2, in: text, from: at), found + 1 < text.count {
      if unsafe text[found + 1] < 0xA0 { return found }
      at = found + 2
    }
    return text.count
  }
}
