/// The texts of a document that is being repaired. They pass beside the XML parser, which has
/// nothing to add to them: it gets a mark in the place of each, a short CDATA section, and hands
/// the mark to the one who takes the text. Most of a feed is text, and libxml2 looks at each of its
/// characters several times.
@safe final class TextRuns {
  /// What a mark is written in: six bits a byte, in characters that end no section.
  private static let markBytes = 5
  /// What is kept at most for a parser that does not take it.
  private static let maximumBytes = 16 << 20

  /// The runs that are held, one after the other, and what will be the next one.
  let bytes = ByteBuffer(capacity: 1 << 16)
  private var ends: [Int] = []
  /// The number of the first run that is held.
  private var first: UInt32 = 0
  /// How many of them have been taken.
  private var taken = 0

  /// Ends the run at hand, if there is one, and writes its mark.
  @inline(__always) func mark(in output: ByteBuffer) {
    if bytes.count > (ends.last ?? 0) { endRun(in: output) }
  }

  private func endRun(in output: ByteBuffer) {
    let number = first &+ UInt32(truncatingIfNeeded: ends.count)
    ends.append(bytes.count)
    output.append("<![CDATA[")
    for place in 0..<TextRuns.markBytes {
      output.append(UInt8(truncatingIfNeeded: number >> UInt32(6 * place) & 0x3F) | 0x40)
    }
    output.append("]]>")
  }

  /// The text that a mark stands for; empty for what is no mark of a run that is held.
  func text(of mark: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard mark.count == TextRuns.markBytes else { return mark.extracting(0..<0) }
    var number: UInt32 = 0
    for place in 0..<TextRuns.markBytes {
      unsafe number |= UInt32(mark[place] & 0x3F) << UInt32(6 * place)
    }
    let index = Int((number &- first) & 0x3FFF_FFFF)
    guard index < ends.count else { return mark.extracting(0..<0) }
    taken = index + 1
    let start = index == 0 ? 0 : ends[index - 1]
    return unsafe bytes.bytes.extracting(start..<ends[index])
  }

  /// Forgets the runs, once the parser has given the last of their marks; with `all`, in any case.
  func forget(all: Bool = false) {
    guard all || taken == ends.count || bytes.count > TextRuns.maximumBytes else { return }
    first = first &+ UInt32(truncatingIfNeeded: ends.count)
    ends.removeAll(keepingCapacity: true)
    taken = 0
    bytes.truncate(to: 0)
  }
}

@available(*, unavailable)
extension TextRuns: Sendable {}
