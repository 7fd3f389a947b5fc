import Glibc
import Starling
import Synchronization

/// Whether Ctrl-C or Ctrl-Z was pressed, and whether the terminal was resized or given back, since the
/// console last looked. A signal handler has no other way to reach it than globals.
private let wasInterrupted = Atomic<Bool>(false)
private let wasResized = Atomic<Bool>(false)
private let wasSuspended = Atomic<Bool>(false)
private let wasContinued = Atomic<Bool>(false)
/// The signal that asks the console to end; 0 for none.
private let endingSignal = Atomic<Int32>(0)
nonisolated(unsafe) private var toldOfInterrupts: StopHandle?

/// What the console asks of the system: its signals, and files that only their owner reads.
extension Terminal {
  /// Makes Ctrl-C stop what runs and never the process, however often it is pressed.
  static func catchConsoleSignals(_ stop: StopHandle) {
    unsafe toldOfInterrupts = stop
    signal(SIGINT) { _ in
      wasInterrupted.store(true, ordering: .relaxed)
      unsafe toldOfInterrupts?.stop()
    }
    signal(SIGWINCH) { _ in wasResized.store(true, ordering: .relaxed) }
    signal(SIGCONT) { _ in wasContinued.store(true, ordering: .relaxed) }
    for number in [SIGTERM, SIGHUP] {
      signal(number) { number in
        endingSignal.store(number, ordering: .relaxed)
        unsafe toldOfInterrupts?.stop()
      }
    }
  }

  /// Whether Ctrl-C was pressed since the last question.
  static func takeInterrupt() -> Bool { wasInterrupted.exchange(false, ordering: .relaxed) }

  static func takeResize() -> Bool { wasResized.exchange(false, ordering: .relaxed) }

  /// Whether the process was stopped, and goes on, since the last question.
  static func takeContinuation() -> Bool { wasContinued.exchange(false, ordering: .relaxed) }

  static func takeSuspension() -> Bool { wasSuspended.exchange(false, ordering: .relaxed) }

  /// Whether Ctrl-Z waits for the line editor, which gives the terminal back first. At other times it
  /// stops the process at once.
  static func defersSuspension(_ isDeferred: Bool) {
    if isDeferred {
      signal(SIGTSTP) { _ in wasSuspended.store(true, ordering: .relaxed) }
    } else {
      signal(SIGTSTP, SIG_DFL)
      if takeSuspension() { raise(SIGTSTP) }
    }
  }

  /// Asks the terminal where its cursor is.
  ///
  /// - Returns: without a column when the terminal does not say within two seconds.
  static func askCursorColumn() -> CursorReport {
    var report = CursorReport()
    let question = Array("\u{1B}[6n".utf8)
    guard case .done = write(question.span, to: 1) else { return report }
    let end = monotonicSeconds() + 2
    while report.column == nil {
      let rest = Int32((end - monotonicSeconds()) * 1000)
      guard rest > 0 else { break }
      // A signal ends the waiting early, and changes nothing.
      guard isReady(0, withinMilliseconds: rest) else { continue }
      guard let bytes = try? read(upTo: 64, from: 0), !bytes.isEmpty else { break }
      report.take(bytes)
    }
    return report
  }

  /// The signal that asked for the end (SIGTERM, SIGHUP).
  static var endSignal: Int32? {
    let number = endingSignal.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  // MARK: Private files

  /// The contents of a file; nil when it cannot be read.
  static func readPrivateFile(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while let piece = try? read(upTo: 1 << 16, from: descriptor), !piece.isEmpty { bytes += piece }
    return bytes
  }

  /// Writes at the end of a file with mode 0600, which is made, with its folders, when there is
  /// none. Failures are silent: nothing depends on such a file.
  static func appendPrivateFile(_ path: String, _ bytes: [UInt8]) {
    makeFolders(path)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    fchmod(descriptor, 0o600)
    _ = write(bytes.span, to: descriptor)
    close(descriptor)
  }

  static func replacePrivateFile(_ path: String, with bytes: [UInt8]) {
    let temporary = "\(path).\(getpid())"
    unsafe unlink(temporary)
    appendPrivateFile(temporary, bytes)
    unsafe rename(temporary, path)
  }

  /// A new folder that only this user can enter; nil when there can be none.
  static func makeTemporaryFolder(_ parent: String) -> String? {
    var template = Array((parent + "/starling-XXXXXX").utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: made)
    }
  }

  /// Removes a folder and the files in it that are named.
  static func remove(folder: String, files: [String]) {
    for name in files { unsafe unlink(folder + "/" + name) }
    unsafe rmdir(folder)
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  private static func makeFolders(_ path: String) {
    for index in path.indices.dropFirst() where path[index] == "/" {
      unsafe mkdir(String(path[..<index]), 0o700)
    }
  }
}
