import Glibc
import Starling
import Synchronization

/// The signal that asked for the end: SIGINT (Ctrl-C), SIGTERM or SIGHUP; 0 for none. A signal handler
/// may only touch what is lock-free, and it has no other way to reach this module than a global.
private let askingSignal = Atomic<Int32>(0)

/// Told when Ctrl-C is pressed; set before the handler is, by the one command that runs.
nonisolated(unsafe) private var toldOfInterrupts: StopHandle?

/// What the tool asks of the operating system about its streams; the one file with system calls.
enum Terminal {
  enum WriteResult {
    case done
    /// Nobody reads the pipe any more.
    case closed
    case failed(String)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// The columns of a terminal now (it may be resized); nil for what is none.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Without this a write to a closed pipe kills the process.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Seconds of a clock that only goes forward.
  static func monotonicSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> WriteResult {
    unsafe bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          sent += count
        } else if errno == EAGAIN {
          wait(for: descriptor, POLLOUT)
        } else if errno == EPIPE {
          return .closed
        } else if errno != EINTR {
          return .failed(errorText())
        }
      }
      return .done
    }
  }

  static func read(upTo limit: Int, from descriptor: Int32) throws(ToolError) -> [UInt8] {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, used in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        used = max(0, count)
      }
      if count >= 0 { return bytes }
      if errno == EAGAIN {
        wait(for: descriptor, POLLIN)
      } else if errno != EINTR {
        throw ToolError("standard input", errorText())
      }
    }
  }

  /// Makes Ctrl-C, SIGTERM and SIGHUP end what runs, and a second of them end the process. The
  /// program that a script runs is in a group of its own, which none of them reaches: it is ended
  /// with us, also by Ctrl-\.
  ///
  /// - Parameter stop: told as well, for what looks at nothing but it.
  static func catchInterrupts(_ stop: StopHandle? = nil) {
    askingSignal.store(0, ordering: .relaxed)
    unsafe toldOfInterrupts = stop
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { number in
        if askingSignal.exchange(number, ordering: .relaxed) != 0 {
          unsafe toldOfInterrupts?.killProgram()
          _exit(128 + number)
        }
        unsafe toldOfInterrupts?.stop()
      }
      // Who started us with nohup wants it so.
      if number == SIGHUP, isIgnoring(before) { signal(number, SIG_IGN) }
    }
    signal(SIGQUIT) { number in
      unsafe toldOfInterrupts?.killProgram()
      signal(number, SIG_DFL)
      raise(number)
    }
  }

  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static var isInterrupted: Bool { askingSignal.load(ordering: .relaxed) != 0 }

  /// What a shell expects of a command that ended since a signal asked for it: 128 and its number.
  ///
  /// - Parameter status: with which it ended. One that Ctrl-C ends in order says so; after the others
  ///   nobody is there who would take that for an answer.
  static func status(_ status: ExitCode) -> ExitCode {
    let number = askingSignal.load(ordering: .relaxed)
    guard number != 0, number != SIGINT || status == .interrupted else { return status }
    return ExitCode(rawValue: 128 + number)
  }

  /// The path of the running program, links resolved; nil where the system does not tell.
  static var programPath: String? {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// Waits until there is something to read, or the end.
  static func isReady(_ descriptor: Int32, withinMilliseconds time: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
    return unsafe Glibc.poll(&poll, 1, time) > 0
  }

  /// Waits; a signal ends it early.
  static func pause(milliseconds: Int32) {
    _ = Glibc.poll(nil, 0, milliseconds)
  }

  /// Starts the user's browser, which goes on by itself.
  ///
  /// - Returns: why that failed; nil when it did not.
  static func openInBrowser(_ address: String) -> String? {
    var process: pid_t = 0
    let result = unsafe "xdg-open".withCString { program in
      unsafe address.withCString { address in
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
          UnsafeMutablePointer(mutating: program), UnsafeMutablePointer(mutating: address), nil,
        ]
        return unsafe posix_spawnp(&process, program, nil, nil, &arguments, environ)
      }
    }
    guard result == 0 else { return unsafe strerror(result).map { unsafe String(cString: $0) } }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0 ? nil : "it ended with status \(status >> 8 & 0xFF)"
  }

  /// Whether a descriptor is a file, which takes what is written.
  static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a descriptor takes output, or says that it never will, within some time. A signal ends
  /// the wait, and says nothing.
  static func takes(_ descriptor: Int32, withinMilliseconds time: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let count = unsafe Glibc.poll(&poll, 1, time)
    return count > 0 || count < 0 && errno != EINTR
  }

  private static func wait(for descriptor: Int32, _ events: Int32) {
    var poll = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    _ = unsafe Glibc.poll(&poll, 1, -1)
  }

  private static func errorText() -> String {
    unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
  }
}
