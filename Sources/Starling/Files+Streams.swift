#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process's standard streams.
extension Files {
  /// Writes all of a piece.
  ///
  /// - Returns: false when it cannot be written: nobody reads the pipe any more, the disk is full.
  static func write(_ piece: [UInt8], to descriptor: Int32) -> Bool {
    unsafe piece.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
        #if canImport(Glibc)
          let count = unsafe Glibc.write(descriptor, part.baseAddress, part.count)
        #elseif canImport(Musl)
          let count = unsafe Musl.write(descriptor, part.baseAddress, part.count)
        #else
          let count = unsafe Darwin.write(descriptor, part.baseAddress, part.count)
        #endif
        if count < 0 {
          if errno == EINTR { continue }
          return false
        }
        unsafe rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Whether a descriptor takes output now or within 5 ms, or says that it never will.
  static func takesOutput(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let count = unsafe poll(&request, 1, 5)
    return count > 0 || count < 0 && errno != EINTR  // a signal says nothing
  }

  /// Goes back to the beginning of a file that has no name.
  static func rewind(_ descriptor: Int32) -> Bool { lseek(descriptor, 0, SEEK_SET) == 0 }

  /// The next bytes; empty at the end, nil when they cannot be read.
  static func read(_ descriptor: Int32, atMost most: Int) -> [UInt8]? {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      result = unsafe read(descriptor, UnsafeMutableRawBufferPointer(buffer))
      count = max(0, result)
    }
    return result < 0 ? nil : bytes
  }

  static func closeTemporary(_ descriptor: Int32) { close(descriptor) }

  /// Waits a fifth of a second for standard input.
  ///
  /// - Returns: what came; empty at the end, nil when nothing came yet.
  static func readInput(atMost most: Int) throws(HostError) -> [UInt8]? {
    var request = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    let ready = unsafe poll(&request, 1, 200)
    if ready == 0 || ready < 0 && errno == EINTR { return nil }
    var found = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, most)) { buffer, count in
      found = unsafe read(0, UnsafeMutableRawBufferPointer(buffer))
      count = max(0, found)
    }
    guard found >= 0 else { throw HostError(.host, lastReason(), subject: "standard input") }
    return bytes
  }
}

/// Paths and files, as scripts with permissions use them.
extension Files {
  /// The absolute path without links, `.` and `..`; nil when there is nothing at it.
  static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// The absolute path of a name in a folder without links; the name may be a link or not exist.
  static func place(_ path: String) -> String? {
    let name = name(path)
    guard !name.isEmpty, name != ".", name != ".." else { return nil }
    return resolved(folder(path)).map { join($0, name) }
  }

  /// The true path of the innermost folder of a path that exists.
  static func nearestFolder(_ path: String) -> String {
    var path = path
    while true {
      if let real = resolved(path) { return real }
      // The folder that one works in may have been removed.
      if path == "." || path == "/" { return path }
      path = folder(path)
    }
  }

  /// Whether a true path is a true folder or in it, byte for byte.
  static func isIn(_ folder: String, _ path: String) -> Bool {
    path == folder || folder == "/" || path.utf8.starts(with: (folder + "/").utf8)
  }

  /// The folder of a path: `.` for a bare name.
  static func folder(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes a file whole: beside it first, then in its place, so that nobody sees half of it. What
  /// was a link before is a file then.
  static func replace(_ path: String, with bytes: [UInt8]) throws(HostError) {
    let temporary = join(folder(path), temporaryName())
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(temporary, flags, 0o666)
    guard descriptor >= 0 else { throw HostError(.host, lastReason(), subject: path) }
    let isWritten = write(bytes, to: descriptor)
    if close(descriptor) == 0, isWritten, unsafe rename(temporary, path) == 0 { return }
    let reason = lastReason()
    unsafe unlink(temporary)
    throw HostError(.host, reason, subject: path)
  }

  static func temporaryName() -> String {
    ".starling-" + String(UInt64.random(in: 0 ... .max), radix: 36)
  }

  /// Makes a folder, and those above it that are missing.
  static func makeFolders(_ path: String) throws(HostError) {
    if entry(path) == .folder { return }
    let above = folder(path)
    if above != path, entry(above) == nil { try makeFolders(above) }
    if unsafe mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    throw HostError(.host, lastReason(), subject: path)
  }

  /// Writes at the end of a file, which is made, with its folder, when there is none.
  static func append(_ path: String, _ bytes: [UInt8]) throws(HostError) {
    try makeFolders(folder(path))
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw HostError(.host, lastReason(), subject: path) }
    let isWritten = write(bytes, to: descriptor)
    guard close(descriptor) == 0, isWritten else {
      throw HostError(.host, lastReason(), subject: path)
    }
  }

  /// The value of an environment variable: bytes, which need not be UTF-8.
  static func environment(_ name: String) -> [UInt8]? {
    unsafe getenv(name).map { value in
      unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
  }
}
