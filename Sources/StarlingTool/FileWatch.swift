import Glibc

/// Waits until files are saved: inotify(7) on Linux, a look every 50 ms where there is none.
@safe
final class FileWatch {
  /// Folders whose files count, and single files.
  private let paths: [String]
  private var descriptor: Int32
  /// The names that count in a watched folder; nil for all that are no editor's own.
  private var names: [Int32: Set<String>?] = [:]
  private var stamps: [String: Stamp] = [:]

  private struct Stamp: Equatable {
    var inode: UInt
    var seconds: Int
    var nanoseconds: Int
    var size: Int
  }

  // inotify(7): a file that was written to was closed; one was renamed to this name; one was renamed
  // to another name or removed; the folder itself was, and is watched no more.
  private static let closeWrite: UInt32 = 0x8
  private static let movedTo: UInt32 = 0x80
  private static let gone: UInt32 = 0x40 | 0x200
  private static let folderGone: UInt32 = 0x400 | 0x800
  private static let ignored: UInt32 = 0x8000
  private static let headBytes = 16
  /// How long an editor may take between moving a file away and saving the new one.
  private static let savingMilliseconds: Int32 = 40
  /// Whether a folder must be watched anew, once it is there again.
  private var isLost = false

  init(paths: [String]) {
    self.paths = paths
    #if os(Linux)
      descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
    #else
      descriptor = -1
    #endif
    if descriptor >= 0 { watch() } else { stamps = look() }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits for a save, at most so long.
  ///
  /// - Returns: whether a file was saved or removed since the last call.
  func wait(milliseconds: Int32) -> Bool {
    if descriptor >= 0 {
      if isLost {
        isLost = false
        watch()
      }
      guard hasEvents(within: milliseconds) else { return false }
      switch drain() {
      case .none: return false
      case .saved: return true
      case .gone:
        // Many editors save by moving the file away first.
        if hasEvents(within: FileWatch.savingMilliseconds) { _ = drain() }
        return true
      }
    }
    for _ in 0..<max(1, milliseconds / 50) {
      usleep(50_000)
      let now = look()
      if now != stamps {
        stamps = now
        return true
      }
    }
    return false
  }

  // MARK: inotify

  private enum Change {
    case none
    case gone
    case saved
  }

  private func hasEvents(within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
  }

  private func watch() {
    #if os(Linux)
      for path in paths {
        let isFolder = FileWatch.isFolder(path)
        let slash = path.lastIndex(of: "/")
        let above = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = unsafe inotify_add_watch(
          descriptor, isFolder ? path : above,
          FileWatch.closeWrite | FileWatch.movedTo | FileWatch.gone | FileWatch.folderGone)
        guard number >= 0 else {
          isLost = true
          continue
        }
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        if isFolder {
          names[number] = .some(nil)
        } else if names[number] != .some(nil) {
          names[number] = .some((names[number] ?? [])?.union([name]) ?? [name])
        }
      }
    #endif
  }

  /// Reads all events that wait.
  private func drain() -> Change {
    var change = Change.none
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return change }
      var place = 0
      while place + FileWatch.headBytes <= count {
        let (number, mask, length) = unsafe buffer.withUnsafeBytes { bytes in
          unsafe (
            bytes.loadUnaligned(fromByteOffset: place, as: Int32.self),
            bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
            Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
          )
        }
        let start = place + FileWatch.headBytes
        place = start + length
        guard place <= count else { break }
        let name = String(decoding: buffer[start..<place].prefix { $0 != 0 }, as: UTF8.self)
        if mask & (FileWatch.ignored | FileWatch.folderGone) != 0 { isLost = true }
        guard mask & FileWatch.folderGone != 0 || counts(name, in: number) else { continue }
        let isGone = mask & (FileWatch.gone | FileWatch.folderGone) != 0
        if !isGone { change = .saved } else if change == .none { change = .gone }
      }
    }
  }

  private func counts(_ name: String, in number: Int32) -> Bool {
    guard let names = names[number] else { return false }
    guard let names else {
      // Swap and backup files of editors.
      return !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".swp")
        && name != "4913"
    }
    return names.contains(name)
  }

  // MARK: Looking

  private func look() -> [String: Stamp] {
    var stamps: [String: Stamp] = [:]
    for path in paths {
      if FileWatch.isFolder(path) {
        for name in FileWatch.names(in: path) {
          stamps[path + "/" + name] = FileWatch.stamp(path + "/" + name)
        }
      } else {
        stamps[path] = FileWatch.stamp(path)
      }
    }
    return stamps
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Stamp(
      inode: UInt(status.st_ino), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec, size: Int(status.st_size))
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
