import Glibc

/// This program as a process of its own, which is killed.
final class Child {
  private var pid: pid_t = 0
  private var output: Int32
  private var text: [UInt8] = []

  init?(_ arguments: [String]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words: [UnsafeMutablePointer<CChar>?] = []
    for word in [CommandLine.arguments[0]] + arguments { words.append(strdup(word)) }
    words.append(nil)
    defer { for word in words { free(word) } }
    let status = posix_spawn(&pid, "/proc/self/exe", &actions, nil, words, environ)
    close(ends[1])
    guard status == 0 else { return nil }
  }

  deinit { close(output) }

  /// Waits for the child's first line; false when it ended before.
  func waitForStart() -> Bool {
    while !text.contains(UInt8(ascii: "\n")) {
      guard readMore() else { return false }
    }
    return true
  }

  /// Waits for its end, and gives what it said, line by line.
  func wait() -> [Substring] { finish() }

  /// Kills it, and gives what it had said before, line by line; the last is whole.
  func kill() -> [Substring] {
    Glibc.kill(pid, SIGKILL)
    return finish()
  }

  private func finish() -> [Substring] {
    while readMore() {}
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    let whole = text.prefix((text.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
    return String(decoding: whole, as: UTF8.self).split(separator: "\n")
  }

  private func readMore() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &bytes, bytes.count)
    guard count > 0 else { return false }
    text += bytes.prefix(count)
    return true
  }
}
