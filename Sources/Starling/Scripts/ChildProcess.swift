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

  /// Why a program is ended before its time.
  enum Stop {
    /// Its time was over.
    case time
    /// Somebody asked for it: Ctrl-C, say.
    case request
  }

  struct Outcome {
    /// The exit status; 128 and the signal's number when a signal ended it, as shells say it.
    var status: Int32
    var output: [UInt8]
    var errors: [UInt8]
  }

  /// Runs the program to its end, in a process group of its own, so that what it starts ends with it
  /// when it is stopped.
  ///
  /// - Parameters:
  ///   - handle: told which group is the program's, for who ends it without us.
  ///   - stop: asked fifty times a second; a reason ends the program.
  /// - Throws: when it cannot be started, writes more than the limit, or was stopped.
  func run(handle: StopHandle? = nil, stop: () -> Stop?) throws(HostError) -> Outcome {
    let pipes = try ChildPipes()
    defer { pipes.close() }
    let leader = try spawn(pipes)
    handle?.runsProgram(leader)
    defer { handle?.runsProgram(nil) }
    let group = ChildGroup(leader: leader)
    pipes.closeChildEnds()
    var outcome = Outcome(status: 0, output: [], errors: [])
    do throws(HostError) {
      try exchange(pipes, group, &outcome, stop)
      while try check(group, stop) { usleep(2_000) }
      handle?.runsProgram(nil)
      outcome.status = try group.finish(program)
    } catch {
      group.end(isAsked: error.kind == .canceled)
      throw error
    }
    // Ctrl-C may have come to the program alone.
    try check(stop)
    return outcome
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
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
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
    _ pipes: ChildPipes, _ group: ChildGroup, _ outcome: inout Outcome, _ stop: () -> Stop?
  ) throws(HostError) {
    var sent = 0
    if input.isEmpty { pipes.closeInput() }
    while pipes.isOpen(.output) || pipes.isOpen(.errors) {
      _ = try check(group, stop)
      let ready = pipes.wait(milliseconds: 20)
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

  /// - Returns: whether the program runs on.
  private func check(_ group: ChildGroup, _ stop: () -> Stop?) throws(HostError) -> Bool {
    try check(stop)
    return try group.isRunning(program)
  }

  private func check(_ stop: () -> Stop?) throws(HostError) {
    switch stop() {
    case .time: throw HostError(.time, "stopped", subject: program)
    case .request: throw HostError(.canceled, "stopped", subject: program)
    case nil: break
    }
  }
}
