import StarlingModel

/// The Lua files of a plugin as they were when it was found: what runs later is never another text
/// than what ran first.
struct PluginSources {
  struct File {
    /// As `require` names it; empty for the plugin's main file.
    var module: String
    var path: String
    var bytes: [UInt8]
  }

  /// The main file first, then the modules by name.
  let files: [File]
  /// Modules that are there and are not read: all files of a plugin are at most so long together.
  let leftOut: [String]

  static let none = PluginSources(files: [], leftOut: [])

  /// Bytes of a plugin's files together, and how many files there may be.
  private static let longest = 16 << 20
  private static let most = 1_000
  private static let deepest = 8

  /// - Throws: when the main file cannot be read. A module that cannot be read is not there.
  static func read(_ file: PluginFile) throws(HostError) -> PluginSources {
    let main = File(
      module: "", path: file.path, bytes: try Files.readLua(file.path, limitBytes: longest))
    var modules: [File] = []
    var rest = Rest(left: longest - main.bytes.count)
    if let folder = file.folder, let root = Files.absolute(folder) {
      collect(folder, "", root: root, depth: 0, rest: &rest, into: &modules)
    }
    return PluginSources(
      files: [main] + modules.sorted { $0.module < $1.module }, leftOut: rest.leftOut)
  }

  /// The bytes that further files may have, and those that had more.
  private struct Rest {
    var left: Int
    var leftOut: [String] = []
  }

  private static func collect(
    _ folder: String, _ prefix: String, root: String, depth: Int, rest: inout Rest,
    into modules: inout [File]
  ) {
    guard depth < deepest else { return }
    for name in Files.names(in: folder) ?? [] {
      let path = Files.join(folder, name)
      // A link must not lead out of the plugin's folder: what a module's text says can be told in
      // errors and entities.
      guard modules.count < most, let real = Files.absolute(path), Files.isIn(root, real) else {
        continue
      }
      switch Files.entry(path) {
      case .folder where isWord(name) && !(depth == 0 && name == "fixtures"):
        collect(
          path, prefix + name + ".", root: root, depth: depth + 1, rest: &rest, into: &modules)
      case .file where name.hasSuffix(".lua") && !(depth == 0 && name == "plugin.lua"):
        let word = String(name.dropLast(4))
        guard isWord(word), let size = Files.size(path) else { continue }
        guard size <= rest.left else {
          rest.leftOut.append(prefix + word)
          continue
        }
        guard let bytes = try? Files.readLua(path, limitBytes: rest.left) else { continue }
        rest.left -= bytes.count
        modules.append(File(module: prefix + word, path: path, bytes: bytes))
      default: continue
      }
    }
  }

  /// Letters, digits, `_` and `-`: no path and no dot of its own.
  private static func isWord(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte == 0x5F || byte == 0x2D || (0x30...0x39).contains(byte)
          || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      }
  }

  var main: [UInt8] { files.first?.bytes ?? [] }

  var moduleNames: [String] { files.dropFirst().map(\.module) }

  func module(_ name: String) -> File? {
    files.dropFirst().first { $0.module == name }
  }

  /// Tells this text from another: of all files, their names included.
  var fingerprint: String {
    var hash = TextHash()
    for file in files {
      hash.add(file.module)
      hash.add(file.bytes)
    }
    return hash.allDigits
  }
}
