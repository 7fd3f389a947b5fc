import Glibc

/// Starts programs as a shell would.
enum Spawn {
  /// Starts `starling`. The threads that run tests block signals, and a child would begin with that.
  ///
  /// - Parameters:
  ///   - variables: its environment, `NAME=VALUE` each.
  ///   - flags: of posix_spawnattr_setflags, besides those for signals.
  ///   - openStreams: says what its standard streams are.
  /// - Returns: its process; nil when it could not be started, or is not built.
  static func starling(
    _ arguments: [String], variables: [String], flags: Int32 = 0,
    openStreams: (inout posix_spawn_file_actions_t) -> Void
  ) -> pid_t? {
    guard let program = Child.program else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    openStreams(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | flags))
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, program, &actions, &attributes, &words, &settings)
    return result == 0 ? pid : nil
  }
}
