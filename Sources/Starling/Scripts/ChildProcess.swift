#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that a script runs: its arguments as a list, no shell, its streams as pipes.
struct ChildProcess {
  var program: String
  var arguments: [String]
  var input: [UInt8] = []
  /// Bytes of output and of errors that are taken.
  var limitBytes = 16 << 20

  struct Outcome {
    /// The exit status; 128 and the signal's number when a signal ended it, as shells say it.
    var status: Int32
    var output: [UInt8]
    var errors: [UInt8]
  }

  /// Runs the program to its end.
  ///
  /// - Parameter mustStop: asked ten times a second; true kills the program.
  /// - Throws: when it cannot be started, writes more than the limit, or was stopped.
  func run(mustStop: () -> Bool) throws(HostError) -> Outcome {
    let pipes = try ChildPipes()
    defer { pipes.close() }
    let child = try spawn(pipes)
    pipes.closeChildEnds()
    var outcome = Outcome(status: 0, output: [], errors: [])
    do throws(HostError) {
      try exchange(pipes, &outcome, mustStop)
      outcome.status = try wait(child, mustStop)
      return outcome
    } catch {
      kill(child, SIGKILL)
      var status: Int32 = 0
      unsafe waitpid(child, &status, 0)
      throw error
    }
  }

  private func spawn(_ pipes: ChildPipes) throws(HostError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in pipes.childEnds.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // What the host ignores (broken pipes) is the program's own again.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map {
      unsafe strdup($0)
    }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    var child: pid_t = 0
    let code = unsafe posix_spawnp(&child, program, &actions, &attributes, words, environ)
    guard code == 0 else {
      errno = code
      throw HostError(.host, Files.lastReason(), subject: program)
    }
    return child
  }

  /// Writes the input and reads both outputs as they come, until both are at their end.
  private func exchange(
    _ pipes: ChildPipes, _ outcome: inout Outcome, _ mustStop: () -> Bool
  ) throws(HostError) {
    var sent = 0
    if input.isEmpty { pipes.closeInput() }
    while pipes.isOpen(.output) || pipes.isOpen(.errors) {
      if mustStop() { throw HostError(.canceled, "stopped", subject: program) }
      let ready = pipes.wait(milliseconds: 100)
      if ready.contains(.input) {
        sent += pipes.send(input[sent...])
        if sent == input.count { pipes.closeInput() }
      }
      if ready.contains(.output) { pipes.take(.output, into: &outcome.output) }
      if ready.contains(.errors) { pipes.take(.errors, into: &outcome.errors) }
      if outcome.output.count + outcome.errors.count > limitBytes {
        throw HostError(.memory, "wrote more than \(limitBytes >> 20) MB", subject: program)
      }
    }
  }

  private func wait(_ child: pid_t, _ mustStop: () -> Bool) throws(HostError) -> Int32 {
    while true {
      var status: Int32 = 0
      let found = unsafe waitpid(child, &status, WNOHANG)
      if found == child {
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
      }
      if found < 0 && errno != EINTR {
        throw HostError(.host, Files.lastReason(), subject: program)
      }
      if mustStop() { throw HostError(.canceled, "stopped", subject: program) }
      usleep(2_000)
    }
  }
}
