import Glibc
import StarlingModel

@testable import StarlingFavorites

/// A folder of a test's own, removed with it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/starling-tests-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { name in
      name.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/nowhere"
    }
  }

  deinit {
    for name in files() { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func files() -> [String] {
    var names: [String] = []
    guard let folder = opendir(path) else { return [] }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    closedir(folder)
    return names
  }

  func write(_ bytes: [UInt8], to name: String) {
    guard let file = fopen("\(path)/\(name)", "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func read(_ name: String) -> [UInt8] {
    guard let file = fopen("\(path)/\(name)", "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}

extension TemporaryFolder {
  /// A store on a file of the folder.
  func store(
    _ name: String = "a.db", model: KindModel = StoreFixture.model, readOnly: Bool = false
  ) throws -> FavoritesStore {
    var options = StoreFixture.options()
    options.readOnly = readOnly
    return try FavoritesStore(.file("\(path)/\(name)"), model: model, options: options)
  }
}
