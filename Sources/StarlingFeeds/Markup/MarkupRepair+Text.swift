/// Character data: references, sections, and what may not stand between tags.
extension MarkupRepair {
  mutating func text(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    if unsafe input[start] == 0x3C { return unsafe markup(input, start, isLast) }
    let end = unsafe ByteScan.find(0x3C, in: input, from: start) ?? input.count
    guard isInside else {
      unsafe noteOutside(input, start, end)
      return end
    }
    // No feed has text between an item's elements; the parser is spared the white space.
    if isInContainer { return end }
    return unsafe copyText(input, start, end, isLast)
  }

  mutating func noteOutside(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ stop: Int
  ) {
    guard unsafe input[start..<stop].contains(where: { !ByteScan.isSpace($0) }) else { return }
    damage.note(isComplete ? .trailingText : .leadingText, at: offset + start)
  }

  /// Copies a run of text, its references decoded.
  mutating func copyText(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ isLast: Bool
  ) -> Int? {
    let run = unsafe UnsafeBufferPointer(rebasing: input[..<end])
    var at = start
    while at < end {
      let stop = unsafe ByteScan.markup(run, from: at)
      unsafe texts.bytes.append(run, at..<stop)
      at = stop
      guard at < end else { break }
      if unsafe run[at] == 0x26 {
        guard let next = unsafe reference(input, at, isLast, .text) else { break }
        at = next
      } else {
        damage.note(.controlCharacters, at: offset + at)
        at += 1
      }
    }
    return at > start ? at : nil
  }

  enum Place { case text, attribute }

  /// A reference in text or in an attribute's value.
  mutating func reference(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool, _ place: Place
  ) -> Int? {
    let limit = min(input.count, start + 40)
    var end = start + 1
    while end < limit, unsafe ByteScan.isName(input[end]) || input[end] == 0x23 { end += 1 }
    if end == input.count, end < start + 40, !isLast { return nil }
    if end < input.count, unsafe input[end] == 0x3B, end > start + 1,
      unsafe resolve(input, start + 1, end, place)
    {
      return end + 1
    }
    append("&", place)
    damage.note(.bareAmpersands, at: offset + start)
    return start + 1
  }

  mutating func resolve(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ place: Place
  ) -> Bool {
    if unsafe input[start] == 0x23 {
      guard let (value, past) = unsafe Entities.number(input, from: start), past == end + 1
      else { return false }
      if let scalar = Entities.scalar(number: value) {
        append(scalar, place)
      } else {
        damage.note(.controlCharacters, at: offset + start)
      }
      return true
    }
    if let scalar = unsafe predefined(input, start, end) {
      append(scalar, place)
      return true
    }
    if !entities.isEmpty, let value = unsafe entities[Array(input[start..<end])] {
      expand(value, at: start, place)
      return true
    }
    let name = unsafe UnsafeBufferPointer(rebasing: input[start..<end])
    guard let scalar = unsafe Entities.scalar(name) else { return false }
    append(scalar, place)
    return true
  }

  func predefined(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Unicode.Scalar? {
    switch end - start {
    case 2:
      guard unsafe input[start + 1] == 0x74 else { return nil }
      return unsafe input[start] == 0x6C ? "<" : input[start] == 0x67 ? ">" : nil
    case 3: return unsafe ByteScan.has("amp", in: input, at: start) ? "&" : nil
    case 4:
      if unsafe ByteScan.has("quot", in: input, at: start) { return "\"" }
      return unsafe ByteScan.has("apos", in: input, at: start) ? "'" : nil
    default: return nil
    }
  }

  mutating func expand(_ value: [UInt8], at start: Int, _ place: Place) {
    entityBytes += value.count
    if entityBytes > MarkupRepair.maximumEntityBytes {
      damage.note(.entityLimit, at: offset + start)
    } else if place == .text {
      texts.bytes.append(value)
    } else {
      for byte in value { append(Unicode.Scalar(byte), place, byte: byte) }
    }
  }

  mutating func append(_ scalar: Unicode.Scalar, _ place: Place, byte: UInt8? = nil) {
    let target = place == .text ? texts.bytes : output
    if place == .attribute {
      switch scalar {
      case "&": return output.append("&amp;")
      case "<": return output.append("&lt;")
      case "\"": return output.append("&quot;")
      case "\r": return output.append("&#13;")
      case "\n": return output.append("&#10;")
      case "\t": return output.append("&#9;")
      default: break
      }
    }
    if let byte { target.append(byte) } else { target.append(scalar: scalar) }
  }
}
