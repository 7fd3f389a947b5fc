import Glibc

/// The command line of this process.
enum ProcessArguments {
  /// All of it, the program's name first.
  ///
  /// `CommandLine` looks for the arguments through /proc/self/maps, which takes longer than all else
  /// that happens between `main` and a command; Linux has them in a file of their own (proc(5)).
  static var all: [[UInt8]] {
    guard let bytes = read("/proc/self/cmdline"), bytes.last == 0 else {
      return CommandLine.arguments.map { Array($0.utf8) }
    }
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { piece in
        unsafe Glibc.read(descriptor, piece.baseAddress, piece.count)
      }
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }
}
