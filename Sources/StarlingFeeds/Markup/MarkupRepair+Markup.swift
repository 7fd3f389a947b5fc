/// Comments, sections, instructions, and angle brackets that are none.
extension MarkupRepair {
  mutating func markup(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    guard start + 1 < input.count else { return bareAngle(start, isLast) }
    let next = unsafe input[start + 1]
    if next == 0x2F { return unsafe endTag(input, start, isLast) }
    if unsafe NameScan.begins(input, at: start + 1) { return unsafe startTag(input, start, isLast) }
    if next == 0x3F {
      mode = .instruction
      return start + 2
    }
    guard next == 0x21 else { return bareAngle(start, true) }
    if unsafe ByteScan.has("<!--", in: input, at: start) {
      mode = .comment
      return start + 4
    }
    if unsafe ByteScan.has("<![CDATA[", in: input, at: start) {
      mode = .cdata
      return start + 9
    }
    if input.count - start < 9, !isLast { return nil }
    if start + 2 < input.count, unsafe input[start + 2] | 0x20 == 0x64 {
      mode = .doctype
      return start
    }
    return bareAngle(start, true)
  }

  mutating func bareAngle(_ start: Int, _ isKnown: Bool) -> Int? {
    guard isKnown else { return nil }
    if isInside {
      texts.bytes.append(0x3C)
      damage.note(.bareAngles, at: offset + start)
    }
    return start + 1
  }

  mutating func skip(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: StaticString
  ) -> Int? {
    guard let found = unsafe ByteScan.find(end, in: input, from: start) else {
      return max(start, input.count - end.utf8CodeUnitCount + 1) > start
        ? input.count - end.utf8CodeUnitCount + 1 : nil
    }
    mode = .text
    return found + end.utf8CodeUnitCount
  }

  mutating func cdata(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    let found = unsafe ByteScan.find("]]>", in: input, from: start)
    let end = found ?? (isLast ? input.count : input.count - 2)
    guard end > start || found != nil else { return nil }
    if isInside { unsafe copyData(input, start, end) }
    guard found != nil else { return end }
    mode = .text
    return end + 3
  }

  mutating func copyData(_ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    var at = start
    while at < end {
      let stop = unsafe ByteScan.control(input, from: at, to: end)
      unsafe texts.bytes.append(input, at..<stop)
      if stop < end { damage.note(.controlCharacters, at: offset + stop) }
      at = stop + 1
    }
  }
}
