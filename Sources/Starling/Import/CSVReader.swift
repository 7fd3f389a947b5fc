/// Reads comma-separated values (RFC 4180): quoted fields, doubled quotes, line breaks within quotes,
/// any line end, and a byte order mark before the first name.
struct CSVReader {
  /// One record with the line that it begins on, from 1.
  struct Record {
    var line: Int
    var fields: [String]
  }

  private let bytes: [UInt8]
  private var at = 0
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// The next record; nil at the end. Empty lines are passed over.
  mutating func next() -> Record? {
    while at < bytes.count, bytes[at] == 0x0A || bytes[at] == 0x0D { skipLineEnd() }
    guard at < bytes.count else { return nil }
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(field())
      guard at < bytes.count, bytes[at] == UInt8(ascii: ",") else { break }
      at += 1
    }
    skipLineEnd()
    return record
  }

  private mutating func skipLineEnd() {
    guard at < bytes.count else { return }
    if bytes[at] == 0x0D, at + 1 < bytes.count, bytes[at + 1] == 0x0A { at += 1 }
    at += 1
    line += 1
  }

  private mutating func field() -> String {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return plainField() }
    at += 1
    var text: [UInt8] = []
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "\"") {
        at += 1
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { break }
      } else if bytes[at] == 0x0A {
        line += 1
      }
      text.append(bytes[at])
      at += 1
    }
    // What stands between the closing quote and the comma belongs to nothing; it is kept as written.
    return String(decoding: text, as: UTF8.self) + plainField()
  }

  private mutating func plainField() -> String {
    let start = at
    while at < bytes.count, ![0x0A, 0x0D, UInt8(ascii: ",")].contains(bytes[at]) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }
}
