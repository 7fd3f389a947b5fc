import StarlingModel

/// Where a Lua text says `name =` or `["name"] =`, found in one look over it.
struct NamePlaces {
  /// The places of each name, in the order of the text.
  private var places: [String: [Int]] = [:]

  /// How much is kept of a text that is made of assignments: the order of columns is worth no more.
  private static let mostNames = 20_000
  private static let mostPlaces = 1_000

  init(_ source: [UInt8]) {
    for end in source.indices where source[end] == UInt8(ascii: "=") {
      if end + 1 < source.count, source[end + 1] == UInt8(ascii: "=") { continue }
      guard let range = NamePlaces.name(before: end, in: source) else { continue }
      let name = String(decoding: source[range], as: UTF8.self)
      guard places.count < NamePlaces.mostNames || places[name] != nil else { continue }
      if places[name, default: []].count < NamePlaces.mostPlaces {
        places[name, default: []].append(range.lowerBound)
      }
    }
  }

  /// The first place of a name from `start` on.
  func first(of name: String, after start: Int) -> Int? {
    places[name]?.first { $0 >= start }
  }

  /// The name that `=` at `end` gives a value to; nil for a field of another table (`a.b = 1`), and
  /// for what is too long to be a name.
  private static func name(before end: Int, in source: [UInt8]) -> Range<Int>? {
    var last = end
    while last > 0, isBetween(source[last - 1]) { last -= 1 }
    var first = last
    while first > 0, isWord(source[first - 1]), last - first <= Field.longestName { first -= 1 }
    guard first < last, last - first <= Field.longestName else { return nil }
    if first > 0, source[first - 1] == UInt8(ascii: ".") { return nil }
    return first..<last
  }

  /// Blanks, and what closes `["name"]`.
  private static func isBetween(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x22, 0x27, 0x5D: true
    default: false
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }
}
