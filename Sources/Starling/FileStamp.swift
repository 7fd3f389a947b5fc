#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What tells one state of a file from another without reading it (stat(2)).
struct FileStamp: Equatable {
  private var inode: UInt64
  private var size: Int64
  /// Of the last change of its bytes or its inode, which no tool sets back.
  let changedSeconds: Int
  private var changedNanoseconds: Int

  /// - Returns: nil for what is no file, or none that can be looked at.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    changedSeconds = changed.tv_sec
    changedNanoseconds = changed.tv_nsec
  }

  /// The time of the clock that stamps are made by.
  static var now: Int { time(nil) }
}
