/// The document type: dropped, but for the plain entities that it declares.
extension MarkupRepair {
  /// Skips a document type and keeps the simple entities of its internal subset.
  mutating func doctype(
    _ input: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    guard let end = unsafe doctypeEnd(input, start) else {
      guard isLast || input.count - start > MarkupRepair.maximumTagBytes else { return nil }
      mode = .text
      return start + 2
    }
    unsafe declareEntities(UnsafeBufferPointer(rebasing: input[start..<end]))
    mode = .text
    return end
  }

  func doctypeEnd(_ input: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var quote: UInt8 = 0
    var isInSubset = false
    var at = start
    while at < input.count {
      let byte = unsafe input[at]
      at += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x5B: isInSubset = true
      case 0x5D: isInSubset = false
      case 0x3E where !isInSubset: return at
      case 0x3C where unsafe ByteScan.has("<!--", in: input, at: at - 1):
        guard let end = unsafe ByteScan.find("-->", in: input, from: at) else { return nil }
        at = end + 3
      default: break
      }
    }
    return nil
  }

  mutating func declareEntities(_ input: UnsafeBufferPointer<UInt8>) {
    var at = 0
    while let found = unsafe ByteScan.find("<!ENTITY", in: input, from: at), entities.count < 1000 {
      at = found + 8
      unsafe skipSpace(input, &at)
      let nameStart = at
      while at < input.count, unsafe ByteScan.isName(input[at]) { at += 1 }
      let name = unsafe Array(input[nameStart..<at])
      unsafe skipSpace(input, &at)
      guard !name.isEmpty, at < input.count, unsafe input[at] == 0x22 || input[at] == 0x27,
        let end = unsafe input[(at + 1)...].firstIndex(of: input[at])
      else { continue }
      let value = unsafe Array(input[(at + 1)..<end])
      if entities[name] == nil { entities[name] = MarkupRepair.decoded(value) }
      at = end + 1
    }
  }

  func skipSpace(_ input: UnsafeBufferPointer<UInt8>, _ at: inout Int) {
    while at < input.count, unsafe ByteScan.isSpace(input[at]) { at += 1 }
  }

  /// An entity's value as text: references decoded once, entities of the subset not at all.
  static func decoded(_ value: [UInt8]) -> [UInt8] {
    var repair = MarkupRepair()
    unsafe value.withUnsafeBufferPointer { input in
      var at = 0
      while at < input.count {
        if unsafe input[at] == 0x26, let next = unsafe repair.reference(input, at, true, .text) {
          at = next
        } else if unsafe isNoCharacter(input, at) {
          at += 3
        } else {
          if unsafe !ByteScan.isForbidden(input[at]) { unsafe repair.texts.bytes.append(input[at]) }
          at += 1
        }
      }
    }
    return repair.texts.bytes.copy(from: 0)
  }
}
