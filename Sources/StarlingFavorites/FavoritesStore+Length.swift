import Glibc

extension FavoritesStore {
  /// The header that a database begins with (SQLite: "Database File Format", 1.3).
  private static let headerBytes = 100

  /// Refuses what SQLite would take for a new database, and fill, though it is what is left of one: a
  /// single byte, or nothing beside a log, which SQLite would remove.
  static func checkLength(_ path: String, _ status: stat) throws(FavoritesError) {
    var bytes = Int(status.st_size)
    guard bytes < headerBytes else { return }
    guard bytes == 0, let beside = traceOfContents(path) else {
      guard bytes == 0 else { throw .cutOff(path: path, bytes: bytes, beside: nil) }
      return
    }
    // Another process may be about to fill it.
    for _ in 0..<50 {
      usleep(10_000)
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return }
      bytes = Int(status.st_size)
      if bytes >= headerBytes { return }
    }
    throw .cutOff(path: path, bytes: bytes, beside: beside)
  }

  /// What is to be said of a file that is empty, before it is opened and becomes a new database; nil
  /// for any other.
  ///
  /// - Throws: `cutOff` when something beside it shows that it was a database.
  package static func problemOfEmptyFile(
    _ path: String
  ) throws(FavoritesError) -> StoreProblem? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == 0
    else { return nil }
    try checkLength(path, status)
    return StoreProblem(
      what: "the file is empty: if it was a database, restore a backup; if not, it is as good as a"
        + " new one", canBeMended: true)
  }

  /// What lies beside an empty file and shows that it was a database: a log with something in it, or
  /// what was kept when a backup or what was salvaged took its place.
  private static func traceOfContents(_ path: String) -> String? {
    var status = stat()
    if unsafe stat(path + "-wal", &status) == 0, status.st_size > 0 { return path + "-wal" }
    let folder = folder(of: path)
    guard let list = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(list) }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      path[path.utf8.index(after: $0)...]
    }
    let prefixes = ["replaced-", "damaged-"].map { "\(name ?? path[...]).\($0)" }
    while let entry = unsafe readdir(list) {
      let found = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if prefixes.contains(where: { found.hasPrefix($0) }) {
        return name == nil ? found : "\(folder)/\(found)"
      }
    }
    return nil
  }
}
