#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that runs, with what it started: a process group of its own (POSIX.1, Job Control).
///
/// Such a group is in the background of our terminal, so that Ctrl-C comes to us. When the program
/// asks something of the person there, and we have the terminal, the group gets it until its end, as
/// a shell's foreground job does.
final class ChildGroup {
  /// The program's process, whose number is the group's.
  private let leader: pid_t
  /// The descriptor of the terminal while the group has it.
  private var terminal: Int32?
  /// As `waitpid` gave it; nil while the program's number is still its own.
  private var status: Int32?

  /// How long a program has to end by itself, in milliseconds: after Ctrl-C, which people type to
  /// programs that clean up then, and after a deadline, which is to be kept.
  private static let patience = (asked: 2_000, late: 10)

  init(leader: pid_t) {
    self.leader = leader
  }

  deinit { takeTerminal() }

  private enum Look { case running, stopped, ended }

  /// What the program does. It stays there to be asked, and its number is not given to another.
  private var look: Look {
    if status != nil { return .ended }
    var info = unsafe siginfo_t()
    let flags = WEXITED | WSTOPPED | WNOHANG | WNOWAIT
    guard unsafe waitid(P_PID, id_t(leader), &info, flags) == 0 else {
      return errno == EINTR ? .running : .ended
    }
    guard unsafe info.si_signo == SIGCHLD else { return .running }
    return unsafe info.si_code == Int32(CLD_STOPPED) ? .stopped : .ended
  }

  /// Whether the program runs on. One that was stopped because it wants the terminal goes on with it.
  func isRunning(_ program: String) throws(HostError) -> Bool {
    switch look {
    case .running: return true
    case .ended:
      // What it started may go on, and Ctrl-C is to reach us from here on.
      if terminal != nil { _ = try finish(program) }
      return false
    case .stopped:
      var found: Int32 = 0
      guard unsafe waitpid(leader, &found, WNOHANG | WUNTRACED) == leader else { return true }
      guard found & 0xFF == 0x7F else {
        status = found
        return false
      }
      try goOn(after: found >> 8 & 0xFF, program)
      return true
    }
  }

  private func goOn(after signal: Int32, _ program: String) throws(HostError) {
    switch signal {
    case SIGTTIN, SIGTTOU: break
    case SIGTSTP where terminal != nil:
      // Ctrl-Z went to the group alone; the whole job stops, until the shell goes on with it.
      takeTerminal()
      kill(0, SIGTSTP)
    default: return  // Whoever stopped it may go on with it.
    }
    guard giveTerminal() else {
      throw HostError(
        .host, "it wants the terminal, which another job has; run it in the foreground",
        subject: program)
    }
    kill(-leader, SIGCONT)
  }

  /// Takes the program's status, once it has ended.
  ///
  /// - Returns: the exit status; 128 and the signal's number when a signal ended it.
  func finish(_ program: String) throws(HostError) -> Int32 {
    while status == nil {
      var found: Int32 = 0
      if unsafe waitpid(leader, &found, 0) == leader {
        status = found
      } else if errno != EINTR {
        throw HostError(.host, Files.lastReason(), subject: program)
      }
    }
    let hadTerminal = terminal != nil
    let signal = (status ?? 0) & 0x7F
    takeTerminal()
    // Ctrl-C was meant for us as well.
    if hadTerminal, signal == SIGINT { raise(SIGINT) }
    return signal == 0 ? (status ?? 0) >> 8 & 0xFF : 128 + signal
  }

  /// Ends the program and all that it started.
  ///
  /// - Parameter isAsked: by Ctrl-C or the like, which the group gets too.
  func end(isAsked: Bool) {
    if status == nil { endKindly(isAsked: isAsked) }
    kill(-leader, SIGKILL)
    var found: Int32 = 0
    while status == nil {
      if unsafe waitpid(leader, &found, 0) == leader || errno != EINTR { status = found }
    }
    takeTerminal()
  }

  private func endKindly(isAsked: Bool) {
    kill(-leader, isAsked ? SIGINT : SIGTERM)
    kill(-leader, SIGCONT)
    var left = isAsked ? ChildGroup.patience.asked : ChildGroup.patience.late
    while left > 0, look != .ended {
      usleep(1_000)
      left -= 1
    }
  }

  // MARK: The terminal

  /// - Returns: false when it is not ours to give.
  private func giveTerminal() -> Bool {
    if terminal != nil { return true }
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    guard tcgetpgrp(descriptor) == getpgrp(), tcsetpgrp(descriptor, leader) == 0 else {
      close(descriptor)
      return false
    }
    terminal = descriptor
    return true
  }

  /// Takes the terminal back.
  private func takeTerminal() {
    guard let descriptor = terminal else { return }
    terminal = nil
    // We are in the background now, and would be stopped for it.
    var output = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&output)
    unsafe sigaddset(&output, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &output, &before)
    tcsetpgrp(descriptor, getpgrp())
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    close(descriptor)
  }
}

@available(*, unavailable)
extension ChildGroup: Sendable {}
