import Glibc
import Testing

/// A process that is killed at a random moment leaves a whole file with everything that it had
/// reported as done, and nothing of what it was at, or all of it.
///
/// `Tests/Crash` has the process and how it is looked at; `make crash` kills it more often.
@Suite(.enabled(if: CrashProgram.path != nil, "the program is not built"))
struct KillTests {
  @Test("a kill at any moment leaves a whole file, all that was reported, and no half of anything")
  func kill() throws {
    let program = try #require(CrashProgram.path)
    let command = "'\(program)' --kills 48 --schemas '\(SchemaFixture.folder)' 2>&1"
    let output = try #require(popen(command, "r"))
    var said: [UInt8] = []
    while case let byte = fgetc(output), byte != EOF {
      said.append(UInt8(truncatingIfNeeded: byte))
    }
    let status = pclose(output)
    #expect(status == 0, "\(String(decoding: said, as: UTF8.self))")
  }
}

enum CrashProgram {
  /// The program that was built beside the tests.
  static let path: String? = {
    guard let tests = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(tests) }
    let package = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    for start in [String(cString: tests)] + CommandLine.arguments + [package + "/.build/debug/x"] {
      let folder = start.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let path = folder.joined(separator: "/") + "/starling-crash"
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }()
}
