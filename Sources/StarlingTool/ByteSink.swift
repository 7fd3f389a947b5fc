/// Where output goes: a descriptor, or memory for tests. Bytes are buffered.
///
/// Writing never throws. When the reader of a pipe is gone the sink is closed and drops the rest:
/// that is a quiet end, and long output looks at `isClosed` to stop early. Any other failure is
/// kept in `failure` for the end of the run.
package final class ByteSink {
  /// The reader is gone.
  package private(set) var isClosed = false
  /// Why writing failed, other than by a closed pipe.
  package private(set) var failure: String?
  /// All that was written to a sink in memory.
  package private(set) var written: [UInt8] = []

  /// Called before something is written, so that a prompt can make room for it.
  var beforeWriting: (() -> Void)?

  private var buffer: [UInt8] = []
  private let descriptor: Int32?
  private let flushesLines: Bool
  /// Whether the descriptor is read by somebody who may be slow.
  private let mayWait: Bool
  private static let bufferSize = 1 << 16
  /// Whether a query is open whose rows are written: see `withoutWaiting`.
  private var mustNotWait = false
  /// Whether output waits in the buffer because who reads it takes nothing.
  package private(set) var isStalled = false
  /// How long a reader may be slow before the output stalls.
  private static let patienceMilliseconds: Int32 = 200

  /// - Parameter flushesLines: a terminal's reader sees each line when it is complete.
  package init(descriptor: Int32, flushesLines: Bool) {
    self.descriptor = descriptor
    self.flushesLines = flushesLines
    mayWait = !Terminal.isFile(descriptor)
  }

  /// A sink in memory; `written` has what was flushed, `text` all.
  package init() {
    descriptor = nil
    flushesLines = true
    mayWait = false
  }

  /// What a sink in memory took, as text.
  package var text: String {
    flush()
    return String(decoding: written, as: UTF8.self)
  }

  package func write(_ text: String) {
    guard isOpen else { return }
    makeRoom()
    buffer.append(contentsOf: text.utf8)
    flushIfDue()
  }

  package func write(_ bytes: [UInt8]) {
    guard isOpen else { return }
    makeRoom()
    buffer.append(contentsOf: bytes)
    flushIfDue()
  }

  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard isOpen else { return }
    makeRoom()
    unsafe buffer.append(contentsOf: bytes)
    flushIfDue()
  }

  package func writeLine(_ text: String = "") {
    guard isOpen else { return }
    makeRoom()
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\n"))
    flushIfDue()
  }

  private var isOpen: Bool { !isClosed && failure == nil }

  /// What is called may write in its turn.
  private func makeRoom() {
    guard let call = beforeWriting else { return }
    beforeWriting = nil
    call()
    beforeWriting = call
  }

  private func flushIfDue() {
    if buffer.count >= ByteSink.bufferSize || (flushesLines && buffer.last == UInt8(ascii: "\n")) {
      flush()
    }
  }

  /// Runs `body`, in which output does not wait for who reads it: it stalls, is kept, and is written
  /// afterwards. What `body` holds open, which is to stop soon when the output stalls, is let go then.
  package func withoutWaiting<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    mustNotWait = true
    defer {
      mustNotWait = false
      if isStalled {
        isStalled = false
        flush()
      }
    }
    try body()
  }

  package func flush() {
    guard !buffer.isEmpty, !isStalled else { return }
    if mustNotWait, mayWait, let descriptor {
      passOn(to: descriptor)
      return
    }
    defer { buffer.removeAll(keepingCapacity: true) }
    guard let descriptor else {
      written.append(contentsOf: buffer)
      return
    }
    send(buffer.span, to: descriptor)
  }

  private func send(_ bytes: Span<UInt8>, to descriptor: Int32) {
    guard isOpen else { return }
    switch Terminal.write(bytes, to: descriptor) {
    case .done: break
    case .closed: isClosed = true
    case .failed(let why): failure = why
    }
  }

  /// Writes as much as the descriptor takes without waiting.
  private func passOn(to descriptor: Int32) {
    var sent = 0
    while sent < buffer.count, isOpen {
      guard Terminal.takes(descriptor, withinMilliseconds: ByteSink.patienceMilliseconds) else {
        isStalled = true
        break
      }
      // A pipe that takes anything takes so much at once (PIPE_BUF).
      let end = min(buffer.count, sent + 4096)
      send(buffer.span.extracting(sent..<end), to: descriptor)
      sent = end
    }
    buffer.removeSubrange(..<sent)
  }

  /// Makes a sink in memory behave as a pipe whose reader has gone.
  package func close() {
    isClosed = true
  }
}
