import Glibc
import Synchronization

@testable import StarlingTool

/// The screen of a pseudo-terminal, which a thread of its own reads: it answers what the program asks
/// at once, however busy the tests are.
final class TerminalWatch: Sendable {
  struct State: Sendable {
    var screen: TerminalScreen
    /// How many pieces of output came, and when the last one did.
    var pieces = 0
    var last = 0.0
    /// Whether the program has no terminal any more.
    var isClosed = false
  }

  private let master: Int32
  private let state: Mutex<State>
  private let isStopped = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)

  init(_ master: Int32, _ screen: TerminalScreen) {
    self.master = master
    state = Mutex(State(screen: screen))
  }

  func begin() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<TerminalWatch>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
    pthread_detach(thread)
  }

  /// Ends the thread, which is waited for.
  func end() {
    isStopped.store(true, ordering: .relaxed)
    while !isOver.load(ordering: .acquiring) { usleep(1000) }
  }

  var now: State { state.withLock { $0 } }

  func change(_ body: (inout TerminalScreen) -> Void) {
    state.withLock { body(&$0.screen) }
  }

  private func run() {
    while !isStopped.load(ordering: .relaxed) {
      guard Terminal.isReady(master, withinMilliseconds: 20) else { continue }
      guard let answers = take() else { break }
      let bytes = Array(answers.utf8)
      if !bytes.isEmpty { write(master, bytes, bytes.count) }
    }
    isOver.store(true, ordering: .releasing)
  }

  /// Reads a piece, and says what the terminal answers; nil at the end.
  private func take() -> String? {
    state.withLock { state in
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &bytes, bytes.count)
      guard count > 0 else {
        state.isClosed = true
        return nil
      }
      state.screen.take(Array(bytes[..<count]))
      state.pieces += 1
      state.last = Terminal.monotonicSeconds()
      return state.screen.takeAnswers()
    }
  }
}
