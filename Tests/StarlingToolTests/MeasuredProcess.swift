import Glibc

/// `starling` as a process of its own, with what it took of the machine.
struct MeasuredProcess {
  var status: Int32
  /// Processor time, so that a busy machine makes no difference.
  var milliseconds: Int
  /// The most memory that it had at once, as far as it was seen.
  var residentBytes: Int
  var errors: String

  /// - Parameter input: what it reads from standard input.
  static func run(_ place: Workplace, _ arguments: [String], input: String = "") -> MeasuredProcess?
  {
    place.write("in.txt", input)
    let pid = Spawn.starling(
      place.standing(arguments),
      variables: ["HOME", "XDG_DATA_HOME"].map { "\($0)=\(place.folder)" }
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, place.path("in.txt"), O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(
        &actions, 2, place.path("err.txt"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    guard let pid else { return nil }
    return wait(pid, place)
  }

  private static func wait(_ pid: pid_t, _ place: Workplace) -> MeasuredProcess {
    var status: Int32 = 0
    var usage = rusage()
    var resident = 0
    var rounds = 0
    while wait4(pid, &status, WNOHANG, &usage) == 0 {
      // What wait4 tells of memory begins with that of the process that spawned it.
      resident = max(resident, highWater(pid))
      usleep(2_000)
      rounds += 1
      if rounds == 20_000 { kill(pid, SIGKILL) }
    }
    let spent = [usage.ru_utime, usage.ru_stime].map { $0.tv_sec * 1_000 + $0.tv_usec / 1_000 }
    return MeasuredProcess(
      status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F,
      milliseconds: spent[0] + spent[1], residentBytes: resident,
      errors: text(place.path("err.txt")))
  }

  /// `VmHWM` of proc(5), once the process is the program.
  private static func highWater(_ pid: pid_t) -> Int {
    let status = text("/proc/\(pid)/status")
    guard status.hasPrefix("Name:\tstarling\n"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
  }

  /// The beginning of a file.
  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
