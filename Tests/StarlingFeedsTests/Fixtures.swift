import Glibc

/// The files beside the tests.
enum Fixtures {
  static let folder =
    #filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex) + "/Fixtures"

  /// The names of all files, as FOLDER/NAME, sorted.
  static var all: [String] {
    list(String(folder)).flatMap { part in list("\(folder)/\(part)").map { "\(part)/\($0)" } }
      .sorted()
  }

  private static func list(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  static func read(_ name: String) -> [UInt8] {
    guard let file = fopen("\(folder)/\(name)", "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  static func write(_ name: String, _ bytes: [UInt8]) {
    guard let file = fopen("\(folder)/\(name)", "wb") else { return }
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
  }
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
