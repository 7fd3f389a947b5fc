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
  private static let bufferSize = 1 << 16

  /// - Parameter flushesLines: a terminal's reader sees each line when it is complete.
  package init(descriptor: Int32, flushesLines: Bool) {
    self.descriptor = descriptor
    self.flushesLines = flushesLines
  }

  /// A sink in memory; `written` has what was flushed, `text` all.
  package init() {
    descriptor = nil
    flushesLines = true
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

  package func flush() {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    guard let descriptor else {
      written.append(contentsOf: buffer)
      return
    }
    guard isOpen else { return }
    switch Terminal.write(buffer.span, to: descriptor) {
    case .done: break
    case .closed: isClosed = true
    case .failed(let why): failure = why
    }
  }

  /// Makes a sink in memory behave as a pipe whose reader has gone.
  package func close() {
    isClosed = true
  }
}
