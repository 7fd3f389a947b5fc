/// What was typed in the console, kept in a file of the user's own: one entry a line, its ends of
/// line as `\n` and its backslashes doubled, so that a chunk of several lines is one entry.
struct InputHistory {
  /// The most entries that are kept, the newest.
  static let maximum = 5_000

  private let path: String?
  /// From the oldest to the newest.
  private(set) var entries: [String] = []

  /// - Parameter path: nil to keep nothing.
  init(path: String?) {
    self.path = path
    guard let path, let bytes = Terminal.readPrivateFile(path) else { return }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).suffix(Self.maximum)
    entries = lines.map { InputHistory.decoded($0) }
    if bytes.count > 1 << 20 || bytes.count(where: { $0 == UInt8(ascii: "\n") }) > Self.maximum * 2
    {
      let kept = entries.map { InputHistory.encoded($0) + "\n" }.joined()
      Terminal.replacePrivateFile(path, with: Array(kept.utf8))
    }
  }

  /// `$XDG_STATE_HOME/starling/history`, or below the home; nil without a home.
  static func usualPath(_ io: ToolIO) -> String? {
    if let state = io.variable("XDG_STATE_HOME") { return state + "/starling/history" }
    return io.variable("HOME").map { $0 + "/.local/state/starling/history" }
  }

  /// Keeps an entry, unless it begins with a blank, is empty or is the last one again.
  ///
  /// - Returns: whether it is kept.
  mutating func add(_ text: String) -> Bool {
    guard let first = text.utf8.first, first > 0x20, text != entries.last,
      !text.utf8.contains(0)
    else { return false }
    entries.append(text)
    if let path { Terminal.appendPrivateFile(path, Array((Self.encoded(text) + "\n").utf8)) }
    return true
  }

  private static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): bytes += [byte, byte]
      case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ line: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in line {
      if isEscaped {
        bytes.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
