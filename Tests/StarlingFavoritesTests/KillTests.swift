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
    let (status, said) = try CrashProgram.run("--kills 48 --schemas '\(SchemaFixture.folder)'")
    #expect(status == 0, "\(said)")
  }

  @Test(
    """
    processes that load, toggle, read, observe, copy and migrate one file are never turned away, \
    see no half of a load, and hear of each change once and in order
    """)
  func together() throws {
    let (status, said) = try CrashProgram.run("together --seconds 3")
    #expect(status == 0, "\(said)")
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

  static func run(_ arguments: String) throws -> (status: Int32, said: String) {
    let program = try #require(path)
    let output = try #require(popen("'\(program)' \(arguments) 2>&1", "r"))
    var said: [UInt8] = []
    while case let byte = fgetc(output), byte != EOF {
      said.append(UInt8(truncatingIfNeeded: byte))
    }
    return (pclose(output), String(decoding: said, as: UTF8.self))
  }
}
