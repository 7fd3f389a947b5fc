import Glibc

/// A copy of a database file and its write-ahead log in a folder of its own, for reading a file that
/// must not be written to: even a reader of SQLite makes files beside it and may recover its log.
struct CopiedDatabase {
  let path: String
  private let folder: String

  /// - Throws: `cannotOpen` when a file cannot be read or the copy not be written.
  init(of original: String) throws(FavoritesError) {
    var template = Array("\(TemporaryFiles.folder)/starling-import-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { name in
      unsafe name.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    guard let folder = made else {
      throw .cannotOpen(
        path: original, reason: "no folder for a copy: \(FavoritesStore.reason(errno))")
    }
    self.folder = folder
    path = folder + "/copy.db"
    for suffix in ["", "-wal"] {
      if !suffix.isEmpty, unsafe access(original + suffix, F_OK) != 0 { continue }
      if let why = CopiedDatabase.copy(original + suffix, path + suffix) {
        remove()
        throw .cannotOpen(path: original + suffix, reason: why)
      }
    }
  }

  func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] { _ = unsafe unlink(path + suffix) }
    _ = unsafe rmdir(folder)
  }

  /// - Returns: why it could not be done, or nil.
  private static func copy(_ from: String, _ to: String) -> String? {
    let source = unsafe open(from, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return FavoritesStore.reason(errno) }
    defer { close(source) }
    let target = unsafe open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { return FavoritesStore.reason(errno) }
    defer { close(target) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while true {
        let count = unsafe read(source, buffer.baseAddress, buffer.count)
        if count == 0 { return nil }
        if count < 0 {
          if errno == EINTR { continue }
          return FavoritesStore.reason(errno)
        }
        var done = 0
        while done < count {
          let written = unsafe write(
            target, buffer.baseAddress.map { unsafe $0 + done }, count - done)
          if written < 0, errno != EINTR { return FavoritesStore.reason(errno) }
          done += max(written, 0)
        }
      }
    }
  }
}
