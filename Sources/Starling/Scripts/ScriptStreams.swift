import StarlingLua

/// A script's streams with their buffers.
final class ScriptStreams {
  private let io: ScriptIO
  private var output: [UInt8] = []
  private var input: [UInt8] = []
  /// Where the unread input begins.
  private var place = 0
  private var isAtEnd = false
  /// Whether nobody reads the output any more.
  private(set) var isClosed = false
  /// Called before the script waits, for input or for who reads its output: what it holds open for
  /// speed is let go.
  var beforeWaiting: () -> Void = {}
  /// Whether the script's time is over, or it is asked to stop: then nobody is waited for, and what
  /// is not taken is lost.
  var mustStop: () -> Bool = { false }
  /// Called while the script waits, now and then, and when it goes on: what others did meanwhile is
  /// told to its listeners.
  var whileWaiting: (_ isOver: Bool) throws(LuaError) -> Void = { _ in }
  /// Whether a listener runs while the script waits for input.
  private var isTelling = false

  /// When output is passed on, by the names of Lua's `setvbuf`.
  enum Buffering: String {
    case no
    case line
    case full
  }

  var buffering: Buffering

  private static let pieceSize = 64 << 10

  init(_ io: ScriptIO) {
    self.io = io
    buffering = io.isInteractive ? .line : .full
  }

  // MARK: Output

  /// - Returns: false when nobody reads the output any more.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if isClosed { return false }
    unsafe output.append(contentsOf: bytes)
    return passOn()
  }

  func write(_ text: String) -> Bool {
    if isClosed { return false }
    output.append(contentsOf: text.utf8)
    return passOn()
  }

  private func passOn() -> Bool {
    let isDue =
      switch buffering {
      case .no: true
      case .line: output.last == UInt8(ascii: "\n")
      case .full: false
      }
    return isDue || output.count >= Self.pieceSize ? flush() : true
  }

  /// - Returns: false when nobody reads the output any more.
  @discardableResult
  func flush() -> Bool {
    if isClosed { return false }
    if output.isEmpty { return true }
    let piece = output
    output.removeAll(keepingCapacity: true)
    beforeWaiting()
    passOn(piece, ofErrors: false) { part in
      if !io.write(part) { isClosed = true }
      return !isClosed
    }
    return !isClosed
  }

  func writeError(_ bytes: UnsafeRawBufferPointer) {
    flush()
    beforeWaiting()
    passOn(unsafe Array(bytes), ofErrors: true) { part in
      io.writeError(part)
      return true
    }
  }

  /// Hands over what the reader takes, until the script must stop.
  private func passOn(_ bytes: [UInt8], ofErrors: Bool, _ write: ([UInt8]) -> Bool) {
    guard let wait = io.waitForReader else {
      _ = write(bytes)
      return
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      if wait(ofErrors) {
        guard write(Array(rest.prefix(ScriptIO.pieceSize))) else { return }
        rest = rest.dropFirst(ScriptIO.pieceSize)
      } else if mustStop() {
        return
      }
    }
  }

  // MARK: Input

  /// The next line, without its end unless it is wanted; nil at the end of the input.
  func line(keepsEnd: Bool, _ state: LuaState) throws(LuaError) -> [UInt8]? {
    try checkReader()
    var searched = place
    while true {
      if let end = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(input[place..<(keepsEnd ? end + 1 : end)])
        place = end + 1
        return line
      }
      let unsearched = input.count - place
      guard try fill(state) else { break }
      searched = place + unsearched
    }
    return place == input.count ? nil : take(input.count - place)
  }

  /// At most so many bytes, as many as there are; nil at the end of the input.
  func bytes(_ count: Int, _ state: LuaState) throws(LuaError) -> [UInt8]? {
    try checkReader()
    while input.count - place < max(1, count), try fill(state) {}
    if place == input.count { return nil }
    return take(min(count, input.count - place))
  }

  /// All that is left; empty at the end.
  func rest(_ state: LuaState) throws(LuaError) -> [UInt8] {
    try checkReader()
    while try fill(state) {}
    return take(input.count - place)
  }

  /// The next byte, which stays; nil at the end of the input.
  func peek(_ state: LuaState) throws(LuaError) -> UInt8? {
    try checkReader()
    if place == input.count, try !fill(state) { return nil }
    return input[place]
  }

  func skip() { place += 1 }

  private func take(_ count: Int) -> [UInt8] {
    let part = Array(input[place..<(place + count)])
    place += count
    return part
  }

  private func tell(isOver: Bool) throws(LuaError) {
    isTelling = true
    defer { isTelling = false }
    try whileWaiting(isOver)
  }

  /// The script is in the middle of reading when its listeners are told.
  private func checkReader() throws(LuaError) {
    guard !isTelling else {
      throw .message("standard input: a listener cannot read while the script waits for input")
    }
  }

  /// Reads a piece more; false at the end of the input.
  private func fill(_ state: LuaState) throws(LuaError) -> Bool {
    if isAtEnd { return false }
    let limit = state.configuration.stringLimit
    guard input.count - place <= limit else {
      throw .message(
        "standard input: more than \(limit >> 20) MB, which no string may have; read it in parts")
    }
    input.removeSubrange(..<place)
    place = 0
    flush()
    beforeWaiting()
    while true {
      try state.checkBudget()
      let read: [UInt8]?
      do throws(HostError) { read = try io.read(Self.pieceSize) } catch { throw .host(error) }
      guard let piece = read else {
        try tell(isOver: false)
        continue
      }
      isAtEnd = piece.isEmpty
      input.append(contentsOf: piece)
      try tell(isOver: true)
      return !isAtEnd
    }
  }
}

@available(*, unavailable)
extension ScriptStreams: Sendable {}
