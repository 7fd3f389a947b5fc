import CSimdjson
import Glibc

/// A forgiving JSON parser that writes the same tape as the strict one; `JSONRepair` has the rules.
/// It keeps its own stack, so that no input can exhaust the program's.
@safe struct JSONRepairParser {
  private struct Level {
    var node: Int
    var length: Int
    var isObject: Bool
    /// Whether a name has been read whose value is to come.
    var hasName: Bool
  }

  private let bytes: UnsafeMutablePointer<UInt8>
  private let count: Int
  private var at = 0
  private let tape = JSONTape()
  private var levels: [Level] = []
  /// Where the last name that was read lies.
  private var name = 0..<0
  /// How many texts, names, numbers, trues and falses were found.
  private var findings = 0
  private(set) var isCut = false
  /// Asked every thousand tokens.
  private let isStopped: () -> Bool

  /// - Parameter bytes: valid UTF-8 and one byte more, decoded in place.
  init(_ bytes: UnsafeMutablePointer<UInt8>, count: Int, isStopped: @escaping () -> Bool) {
    unsafe self.bytes = bytes
    self.count = count
    self.isStopped = isStopped
  }

  /// Whether the text was JSON at all, and not prose that begins with a bracket.
  var isPlausible: Bool { findings > 1 }

  /// The nodes of the document; nil when there was no memory for them.
  func takeTape() -> JSONTape? { tape.isIncomplete ? nil : tape }

  private func byte(_ place: Int) -> UInt8 { place < count ? unsafe bytes[place] : 0 }

  /// False when there is no value, nesting is too deep, or it was stopped.
  mutating func parse() -> Bool {
    var steps = 0
    repeat {
      steps += 1
      if steps & 1023 == 0, isStopped() { return false }
      skipBlank()
      guard at < count else { break }
      guard step() else { return false }
    } while !levels.isEmpty
    isCut = !levels.isEmpty
    while !levels.isEmpty { close() }
    return tape.count > 0
  }

  /// Reads one token.
  private mutating func step() -> Bool {
    let mark = byte(at)
    switch mark {
    case UInt8(ascii: ","), UInt8(ascii: ":"): at += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      at += 1
      closeMatching(mark == UInt8(ascii: "}"))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard levels.count < STARLING_JSON_MAX_DEPTH else { return false }
      at += 1
      if let level = levels.last, level.isObject, !level.hasName { return true }
      countValue()
      let node = tape.append(STARLING_JSON_NULL)
      levels.append(
        Level(node: node, length: 0, isObject: mark == UInt8(ascii: "{"), hasName: false))
    case UInt8(ascii: "\""), UInt8(ascii: "'"): readText(mark)
    default: readWord()
    }
    return true
  }

  private var expectsName: Bool { levels.last.map { $0.isObject && !$0.hasName } ?? false }

  /// Notes that a value of the array or object at hand begins.
  private mutating func countValue() {
    guard let last = levels.indices.last else { return }
    levels[last].length += 1
    levels[last].hasName = false
  }

  /// Adds a text that ends before `end`, where no byte is needed any more.
  private mutating func append(text start: Int, _ end: Int) {
    unsafe bytes[end] = JSONRepairParser.textEnd
    if expectsName {
      levels[levels.count - 1].hasName = true
      name = start..<end
    } else {
      countValue()
    }
    tape.append(STARLING_JSON_DECODED, start)
    findings += 1
  }

  private mutating func close() {
    guard let level = levels.popLast() else { return }
    // A name at the end that has no value.
    if level.hasName { tape.removeLast() }
    tape.close(level.node, isObject: level.isObject, length: level.length)
  }

  /// Closes up to the array or object that the bracket belongs to; a stray bracket closes nothing.
  private mutating func closeMatching(_ isObject: Bool) {
    guard let index = levels.lastIndex(where: { $0.isObject == isObject }) else { return }
    while levels.count > index { close() }
  }

  private mutating func skipBlank() {
    while at < count {
      let mark = byte(at)
      if mark <= 0x20 || mark == JSONRepairParser.textEnd {
        at += 1
      } else if mark == 0x2F, byte(at + 1) == 0x2F {
        while at < count, byte(at) != 0x0A { at += 1 }
      } else if mark == 0x2F, byte(at + 1) == 0x2A {
        at += 2
        while at < count, !(byte(at) == 0x2A && byte(at + 1) == 0x2F) { at += 1 }
        at = min(at + 2, count)
      } else {
        return
      }
    }
  }

  // MARK: Texts

  private mutating func readText(_ quote: UInt8) {
    at += 1
    let start = at
    var to = at
    while at < count, byte(at) != quote {
      if byte(at) == 0x5C {
        readEscape(&to)
      } else {
        unsafe bytes[to] = byte(at)
        to += 1
        at += 1
      }
    }
    if at >= count, expectsName || namesNoProse { return }
    at = min(at + 1, count)
    append(text: start, to)
  }

  /// Whether the value at hand is of a name whose values are ids, addresses or times, of which half
  /// is another one.
  private var namesNoProse: Bool {
    guard let level = levels.last, level.hasName else { return false }
    let own = name.map { byte($0) | 0x20 }
    return JSONRepairParser.exactNames.contains { own.suffix($0.count).elementsEqual($0) }
  }

  /// How the names of ids, addresses and times end, in lower case.
  private static let exactNames = [
    "id", "url", "uri", "link", "href", "slug", "key", "date", "time", "at", "published",
    "modified", "updated", "created", "image", "icon",
  ].map { $0.utf8.map { $0 | 0x20 } }

  private mutating func readEscape(_ to: inout Int) {
    guard at + 1 < count else {
      at = count
      return
    }
    let mark = byte(at + 1)
    at += 2
    if mark == UInt8(ascii: "u"), let scalar = readUnicode() {
      for unit in String(Character(scalar)).utf8 {
        unsafe bytes[to] = unit
        to += 1
      }
      return
    }
    let plain: UInt8 =
      switch mark {
      case UInt8(ascii: "b"): 0x08
      case UInt8(ascii: "f"): 0x0C
      case UInt8(ascii: "n"): 0x0A
      case UInt8(ascii: "r"): 0x0D
      case UInt8(ascii: "t"): 0x09
      default: mark
      }
    unsafe bytes[to] = plain
    to += 1
  }

  private mutating func readUnicode() -> Unicode.Scalar? {
    guard let high = hex4(at) else { return nil }
    at += 4
    if (0xD800..<0xDC00).contains(high), byte(at) == 0x5C, byte(at + 1) == 0x75,
      let low = hex4(at + 2), (0xDC00..<0xE000).contains(low)
    {
      at += 6
      return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }
    return Unicode.Scalar(high) ?? "\u{FFFD}"
  }

  private func hex4(_ start: Int) -> UInt32? {
    var value: UInt32 = 0
    for place in start..<(start + 4) {
      guard let digit = Character(Unicode.Scalar(byte(place))).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  // MARK: Words and numbers

  /// A bare word up to the next mark: a name, a literal or a number.
  private mutating func readWord() {
    let start = at
    while at < count, !JSONRepairParser.ends.contains(byte(at)), byte(at) > 0x20 { at += 1 }
    if at == start {
      at += 1
      return
    }
    if expectsName { return appendName(start) }
    // Half a number is another one.
    if at == count, !levels.isEmpty { return }
    countValue()
    let word = (start..<at).map(byte)
    switch String(decoding: word, as: UTF8.self) {
    case "true":
      tape.append(STARLING_JSON_TRUE)
      findings += 1
    case "false":
      tape.append(STARLING_JSON_FALSE)
      findings += 1
    case let text: append(number: text, start)
    }
  }

  /// A name without quotes, up to `at`. What ends a text takes the place of the colon or the blank
  /// behind it, else of the byte before it, which has been read.
  private mutating func appendName(_ start: Int) {
    guard at < count, start > 0 else { return }
    if byte(at) == 0x3A || byte(at) <= 0x20 { return append(text: start, at) }
    for place in start..<at { unsafe bytes[place - 1] = byte(place) }
    append(text: start - 1, at - 1)
  }

  /// What ends a decoded text: no byte of UTF-8.
  private static let textEnd: UInt8 = 0xFF

  private static let ends: Set<UInt8> = Set(",:[]{}\"'".utf8).union([textEnd])

  private mutating func append(number text: String, _ start: Int) {
    var digits = Substring(text)
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
    guard let first = digits.utf8.first, first == 0x2E || (0x30...0x39).contains(first) else {
      tape.append(STARLING_JSON_NULL)
      return
    }
    findings += 1
    let sign = isNegative ? "-" : ""
    if let integer = Int64(sign + digits) {
      tape.append(STARLING_JSON_WIDE_INTEGER, bits: UInt64(bitPattern: integer))
    } else if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      tape.append(STARLING_JSON_BIG_NUMBER, start)
    } else if let real = Double(sign + digits), real.isFinite {
      tape.append(STARLING_JSON_WIDE_REAL, bits: real.bitPattern)
    } else {
      tape.append(STARLING_JSON_NULL)
    }
  }
}
