import Glibc

/// Where files go that nobody keeps.
enum TemporaryFiles {
  /// `TMPDIR`, else `/tmp`.
  static var folder: String {
    guard let named = unsafe getenv("TMPDIR"), unsafe named.pointee != 0 else { return "/tmp" }
    return unsafe String(cString: named)
  }
}
