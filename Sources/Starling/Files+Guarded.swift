#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of scripts with permissions, opened at true paths that were checked: absolute, without links.
///
/// Each folder on the way is opened in the one before it and no link is followed, so that a link that
/// somebody makes between the check and the opening leads nowhere.
extension Files {
  /// A descriptor that is closed at the end of its life.
  private struct Descriptor: ~Copyable {
    let number: Int32

    /// - Throws: the system's reason when there is none.
    init(_ number: Int32, _ path: String) throws(HostError) {
      guard number >= 0 else { throw HostError(.host, lastReason(), subject: path) }
      self.number = number
    }

    deinit { close(number) }
  }

  /// To look for a name in a folder takes no right to list it.
  #if canImport(Darwin)
    private static let search = O_SEARCH
  #else
    private static let search: Int32 = 0o10000000  // O_PATH, which needs _GNU_SOURCE
  #endif

  private static func openFolder(_ path: String) throws(HostError) -> Descriptor {
    let flags = search | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = try Descriptor(unsafe open("/", flags), path)
    for name in path.split(separator: "/") {
      folder = try Descriptor(unsafe openat(folder.number, String(name), flags), path)
    }
    return folder
  }

  /// Reads a regular file.
  static func readGuarded(_ path: String, limitBytes: Int) throws(HostError) -> [UInt8] {
    let folder = try openFolder(Files.folder(path))
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = try Descriptor(unsafe openat(folder.number, name(path), flags), path)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw HostError(.host, "not a file", subject: path)
    }
    var bytes: [UInt8] = []
    if status.st_size <= limitBytes { bytes.reserveCapacity(Int(status.st_size)) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { unsafe piece.deallocate() }
    while true {
      let count = unsafe read(file.number, piece)
      guard count >= 0 else { throw HostError(.host, lastReason(), subject: path) }
      if count == 0 { return bytes }
      unsafe bytes.append(contentsOf: piece[..<count])
      guard bytes.count <= limitBytes else {
        throw HostError(.memory, "longer than \(limitBytes >> 20) MB", subject: path)
      }
    }
  }

  /// Writes a regular file whole, as `replace` does. One that was there keeps its mode.
  static func replaceGuarded(_ path: String, with bytes: [UInt8]) throws(HostError) {
    let folder = try openFolder(Files.folder(path))
    var status = stat()
    let isKnown = unsafe fstatat(folder.number, name(path), &status, AT_SYMLINK_NOFOLLOW) == 0
    guard !isKnown || status.st_mode & S_IFMT == S_IFREG else {
      throw HostError(.host, "not a file", subject: path)
    }
    let temporary = temporaryName()
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let file = try Descriptor(unsafe openat(folder.number, temporary, flags, 0o666), path)
    if isKnown { fchmod(file.number, status.st_mode & 0o777) }
    if write(bytes, to: file.number),
      unsafe renameat(folder.number, temporary, folder.number, name(path)) == 0
    {
      return
    }
    let reason = lastReason()
    unsafe unlinkat(folder.number, temporary, 0)
    throw HostError(.host, reason, subject: path)
  }

  /// The names in a folder, sorted as bytes, without those that begin with a dot.
  static func namesGuarded(_ path: String) throws(HostError) -> [String] {
    let folder = try openFolder(Files.folder(path))
    let name = name(path).isEmpty ? "." : name(path)
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let listed = unsafe openat(folder.number, name, flags)
    guard listed >= 0, let stream = unsafe fdopendir(listed) else {
      throw HostError(.host, "not a folder that can be read", subject: path)
    }
    // The stream closes the descriptor.
    defer { unsafe closedir(stream) }
    return unsafe names(in: stream)
  }
}
