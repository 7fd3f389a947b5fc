#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few things that the host asks of the file system: the one file of this module that is
/// particular to a platform.
enum Files {
  /// Reads a whole file.
  ///
  /// - Throws: `HostError` of kind `host` with the system's reason, or when it is longer than
  ///   `limitBytes`.
  static func read(_ path: String, limitBytes: Int = 256 << 20) throws(HostError) -> [UInt8] {
    var bytes: [UInt8] = []
    if let size = size(path), size <= limitBytes { bytes.reserveCapacity(size) }
    try unsafe readPieces(path) { (piece) throws(HostError) in
      guard bytes.count + piece.count <= limitBytes else {
        throw HostError(.host, "longer than \(limitBytes >> 20) MB", subject: path)
      }
      unsafe bytes.append(contentsOf: piece)
    }
    return bytes
  }

  /// Reads a file of Lua as Lua takes it.
  static func readLua(_ path: String, limitBytes: Int) throws(HostError) -> [UInt8] {
    luaText(of: try read(path, limitBytes: limitBytes))
  }

  /// The text without what `luaL_loadfilex` skips (Lua manual 5.4, §5.1): the mark of UTF-8 at its
  /// front, and a first line for the system (`#!...`), whose end of line stays, so that lines keep
  /// their numbers.
  static func luaText(of source: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = source.starts(with: mark) ? source[mark.count...] : source[...]
    guard text.first == UInt8(ascii: "#") else { return Array(text) }
    return Array(text[(text.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex)...])
  }

  /// Reads a file in pieces of 64 KB.
  static func readPieces(
    _ path: String, _ body: (UnsafeRawBufferPointer) throws(HostError) -> Void
  ) throws(HostError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    let size = 64 << 10
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { unsafe buffer.deallocate() }
    while true {
      let count = unsafe Self.read(descriptor, buffer)
      guard count >= 0 else { throw failure(path) }
      if count == 0 { return }
      try unsafe body(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
    }
  }

  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Glibc)
        let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static func failure(_ path: String) -> HostError {
    HostError(.host, lastReason(), subject: path)
  }

  /// The text of `errno`, as strerror has it, in lower case like the rest of our messages.
  static func lastReason() -> String {
    let code = errno
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }

  enum Entry: Equatable {
    case file
    case folder
    case other
  }

  /// What lies at a path (links are followed), or nil when nothing does.
  static func entry(_ path: String) -> Entry? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Whether a path itself is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Makes a file that does not exist yet.
  static func create(_ path: String, _ bytes: [UInt8]) throws(HostError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard write(bytes, to: descriptor) else { throw failure(path) }
  }

  /// The path from the root, without links and `..` (realpath); nil when nothing lies there.
  static func absolute(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Size in bytes of a regular file; nil for anything else.
  static func size(_ path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The names in a folder, sorted as bytes, without those that begin with a dot; nil when it
  /// cannot be read.
  static func names(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    return unsafe names(in: stream)
  }

  static func names(in stream: OpaquePointer) -> [String] {
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The folders in a folder and in those, at most eight levels deep.
  static func folders(below folder: String, depth: Int = 0) -> [String] {
    guard depth < 8 else { return [] }
    return (names(in: folder) ?? []).flatMap { name -> [String] in
      let path = join(folder, name)
      return entry(path) == .folder ? [path] + folders(below: path, depth: depth + 1) : []
    }
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The last part of a path.
  static func name(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}
