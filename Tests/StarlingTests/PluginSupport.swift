import StarlingModel

@testable import Starling

#if canImport(Glibc)
  import Glibc
#endif

/// A folder of its own for a test's files, removed with the object.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/starling-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let made = mkdtemp(start) else { return "" }
      return String(cString: made)
    }
  }

  deinit {
    TemporaryFolder.remove(path)
  }

  /// Writes a file, with the folders on its way, and gives its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) -> String {
    let parts = name.split(separator: "/").map(String.init)
    var folder = path
    for part in parts.dropLast() {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
    let file = path + "/" + name
    guard let stream = fopen(file, "wb") else { return file }
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
    return file
  }

  @discardableResult
  func write(_ name: String, _ text: String) -> String {
    write(name, Array(text.utf8))
  }

  static func remove(_ path: String) {
    guard let stream = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { remove(path + "/" + name) }
    }
    closedir(stream)
    rmdir(path)
  }
}

/// The folder of the package, from where this file lies.
let packageFolder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

/// Files of the package that tests read, and rewrite when they are told to.
enum TestFile {
  static func read(_ path: String) -> [UInt8]? { try? Files.read(path) }

  static func lines(_ path: String) -> [String] {
    String(decoding: read(path) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  static func write(_ path: String, _ lines: [String]) {
    try? Files.replace(path, with: Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}

/// What a feed became, for tests that need no store.
struct Mapped {
  var entities: [Entity] = []
  var report = FeedMapper.Report()
}

var testServices: PluginServices {
  PluginServices(
    limits: Limits(time: .milliseconds(500), memoryBytes: 32 << 20),
    clock: { Timestamp(secondsSinceEpoch: 1_800_000_000) }, log: { _ in })
}

/// Maps a document with plugins given as Lua text, by name.
func map(
  _ document: [UInt8], plugins: [(name: String, text: String)], named: String? = nil,
  url: String? = nil, options: [String: OptionValue] = [:]
) throws -> Mapped {
  let folder = TemporaryFolder()
  for plugin in plugins { folder.write(plugin.name + ".lua", plugin.text) }
  let set = PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
  return try map(document, set: set, named: named, url: url, options: options)
}

/// Maps a document with the plugin named, else with the one of those asked (all, by default) that
/// accepts it.
func map(
  _ document: [UInt8], set: PluginSet, named: String? = nil, asking: [String]? = nil,
  url: String? = nil, contentType: String? = nil, site: String? = nil,
  options: [String: OptionValue] = [:]
) throws -> Mapped {
  var mapped = Mapped()
  let names = named.map { [$0] } ?? asking
  let mapper = FeedMapper(
    FeedInput(
      .bytes(document, name: "test"), url: url, contentType: contentType, site: site,
      options: options),
    url: nil, contentType: nil,
    candidates: set.plugins.filter { names?.contains($0.name) ?? true }, isNamed: named != nil,
    kindNamed: { set.model[$0] },
    take: { kind, record, _ in mapped.entities.append(record.entity(kind: kind)) })
  try document.withUnsafeBytes { bytes in try mapper.append(bytes) }
  try mapper.finish()
  mapped.report = mapper.report
  return mapped
}
