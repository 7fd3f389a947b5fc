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
    guard let program = Child.program else { return nil }
    place.write("in.txt", input)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, place.path("in.txt"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 2, place.path("err.txt"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([program] + place.standing(arguments)).map { strdup($0) } + [nil]
    var variables = ["HOME", "XDG_DATA_HOME"].map { strdup("\($0)=\(place.folder)") } + [nil]
    defer {
      for word in words + variables { free(word) }
    }
    var pid: pid_t = 0
    guard posix_spawn(&pid, program, &actions, &attributes, &words, &variables) == 0 else {
      return nil
    }
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
