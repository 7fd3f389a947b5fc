import Glibc

/// Guesses the charset of a text that declares none and is not UTF-8.
///
/// uchardet knows the multi-byte charsets and those of other alphabets well; among those of Western
/// Europe it guesses wildly on the few bytes of a short text, so that none of these answers is taken
/// but the usual one. The library is loaded when it is first needed, and is not missed where it is
/// not installed.
enum CharsetDetector {
  static func detect(_ bytes: [UInt8]) -> Charset? {
    guard let name = library?.guess(bytes), trusted.contains(name) else { return nil }
    return Charset(label: name)
  }

  private static let trusted: Set<String> = [
    "GB18030", "BIG5", "SHIFT_JIS", "EUC-JP", "EUC-KR", "UHC", "EUC-TW", "HZ-GB-2312",
    "ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN", "KOI8-R", "IBM866", "IBM855", "MAC-CYRILLIC",
    "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1253", "WINDOWS-1254", "WINDOWS-1255",
    "WINDOWS-1256", "ISO-8859-2", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8",
    "TIS-620",
  ]

  private static let library = Library()

  /// The functions of libuchardet (uchardet.h).
  @safe private struct Library: @unchecked Sendable {
    // Addresses of functions without state of their own: every thread may call them.
    private typealias New = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Handle =
      @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> Int32
    private typealias Act = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias Name = @convention(c) (UnsafeMutableRawPointer?) -> UnsafePointer<CChar>?

    private let new: New
    private let handle: Handle
    private let end: Act
    private let delete: Act
    private let name: Name

    init?() {
      guard let library = unsafe dlopen("libuchardet.so.0", RTLD_NOW | RTLD_LOCAL),
        let new = unsafe dlsym(library, "uchardet_new"),
        let handle = unsafe dlsym(library, "uchardet_handle_data"),
        let end = unsafe dlsym(library, "uchardet_data_end"),
        let delete = unsafe dlsym(library, "uchardet_delete"),
        let name = unsafe dlsym(library, "uchardet_get_charset")
      else { return nil }
      unsafe self.new = unsafe unsafeBitCast(new, to: New.self)
      unsafe self.handle = unsafeBitCast(handle, to: Handle.self)
      unsafe self.end = unsafeBitCast(end, to: Act.self)
      unsafe self.delete = unsafeBitCast(delete, to: Act.self)
      unsafe self.name = unsafeBitCast(name, to: Name.self)
    }

    func guess(_ bytes: [UInt8]) -> String? {
      guard let detector = unsafe new() else { return nil }
      defer { unsafe delete(detector) }
      let failed = unsafe bytes.withUnsafeBytes {
        unsafe handle(detector, $0.baseAddress, $0.count)
      }
      guard failed == 0 else { return nil }
      unsafe end(detector)
      return unsafe name(detector).map { unsafe String(cString: $0).uppercased() }
    }
  }
}
