import Glibc

@testable import StarlingTool

/// The program at a terminal of its own, with a person who presses keys and looks at the screen.
final class PseudoTerminal {
  private let master: Int32
  private var pid: pid_t = 0
  private let rows: Int
  private let watch: TerminalWatch
  private var isRunning = false
  private var isOver = false
  /// How many pieces of output had come when the last one was looked for.
  private var seen = 0

  var screen: TerminalScreen { watch.now.screen }

  /// Seconds that are waited for anything; the machine may be busy.
  private static let patience = 90.0

  init?(
    _ place: Workplace, _ arguments: [String], columns: Int = 80, rows: Int = 24,
    reflows: Bool = false, environment: [String: String] = [:]
  ) {
    self.rows = rows
    // What posix_openpt, unlockpt and ptsname do on Linux (pts(4)).
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    watch = TerminalWatch(
      master, TerminalScreen(columns: columns, rows: rows, reflows: reflows))
    var (locked, number): (Int32, Int32) = (0, 0)
    let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
    guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, getNumber, &number) == 0
    else { return nil }
    let name = "/dev/pts/\(number)"
    resizeTerminal(columns: columns, rows: rows)
    var variables = [
      "HOME": place.folder, "XDG_DATA_HOME": place.folder, "XDG_STATE_HOME": place.folder,
      "TERM": "xterm", "NO_COLOR": "1",
    ]
    variables.merge(environment) { _, new in new }
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID
    let started = Spawn.starling(
      place.standing(arguments), variables: variables.map { "\($0)=\($1)" }, flags: newSession
    ) { actions in
      // The first terminal that the leader of a session opens is its own.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    guard let started else { return nil }
    pid = started
    isRunning = true
    watch.begin()
  }

  deinit {
    defer { close(master) }
    guard isRunning else { return }
    if !isOver {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
    watch.end()
  }

  /// Presses keys.
  func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      // A deadline of another test may signal this thread.
      guard count > 0 || errno == EINTR else { return }
      sent += max(count, 0)
    }
  }

  /// Gives the terminal another width, as dragging its window does.
  func resize(columns: Int) {
    watch.change { screen in
      screen.resize(columns: columns)
      resizeTerminal(columns: columns, rows: rows)
    }
  }

  /// Sends the program a signal.
  func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// Sets the terminal to lines that it shows itself, as a shell does for the next program.
  func cook() {
    var mode = termios()
    tcgetattr(master, &mode)
    mode.c_lflag |= tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    mode.c_iflag |= tcflag_t(ICRNL)
    tcsetattr(master, TCSANOW, &mode)
  }

  private func resizeTerminal(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Milliseconds without anything new after which the program has said what it had to say.
  private static let quiet = 0.3

  /// Reads until the screen is as wanted, which it is not before anything new has come.
  ///
  /// - Parameter settles: whether it must also stay so, where what is drawn first may look like the
  ///   end.
  /// - Returns: whether it came to be so.
  func wait(settles: Bool = false, until isReady: (TerminalScreen) -> Bool) async -> Bool {
    let end = Terminal.monotonicSeconds() + Self.patience
    while true {
      let (state, now) = (watch.now, Terminal.monotonicSeconds())
      if state.pieces > seen || state.isClosed, isReady(state.screen) {
        if !settles || state.isClosed || now - state.last > Self.quiet {
          seen = state.pieces
          return true
        }
      }
      if state.isClosed || now > end { return false }
      await Self.pause()
    }
  }

  /// Lets other tests go on; a thread that waits would be one less for them.
  private static func pause() async {
    do { try await Task.sleep(for: .milliseconds(3)) } catch {}
  }

  /// Waits for the program to end, and reads what it still says.
  ///
  /// - Returns: its exit status; -1 when it does not end.
  func end() async -> Int32 {
    let end = Terminal.monotonicSeconds() + Self.patience
    while Terminal.monotonicSeconds() < end {
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) != 0 {
        isOver = true
        while !watch.now.isClosed, Terminal.monotonicSeconds() < end { await Self.pause() }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
      }
      await Self.pause()
    }
    return -1
  }
}
