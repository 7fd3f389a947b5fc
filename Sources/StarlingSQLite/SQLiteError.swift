import CSQLite3

/// What SQLite answered instead of success.
///
/// Match on `code`, which is the primary result code; `extendedCode` says it more closely.
public struct SQLiteError: Error, Hashable, Sendable {
  /// A primary result code (SQLite: "Result and Error Codes").
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// SQLITE_ERROR
    public static let error = Code(rawValue: 1)
    /// SQLITE_PERM
    public static let permission = Code(rawValue: 3)
    /// SQLITE_BUSY
    public static let busy = Code(rawValue: 5)
    /// SQLITE_LOCKED
    public static let locked = Code(rawValue: 6)
    /// SQLITE_NOMEM
    public static let outOfMemory = Code(rawValue: 7)
    /// SQLITE_READONLY
    public static let readOnly = Code(rawValue: 8)
    /// SQLITE_INTERRUPT
    public static let interrupted = Code(rawValue: 9)
    /// SQLITE_IOERR
    public static let inputOutput = Code(rawValue: 10)
    /// SQLITE_CORRUPT
    public static let corrupt = Code(rawValue: 11)
    /// SQLITE_FULL
    public static let full = Code(rawValue: 13)
    /// SQLITE_CANTOPEN
    public static let cannotOpen = Code(rawValue: 14)
    /// SQLITE_TOOBIG
    public static let tooBig = Code(rawValue: 18)
    /// SQLITE_CONSTRAINT
    public static let constraint = Code(rawValue: 19)
    /// SQLITE_MISUSE
    public static let misuse = Code(rawValue: 21)
    /// SQLITE_NOTADB
    public static let notADatabase = Code(rawValue: 26)
    /// The write-ahead log has no room: somebody reads for too long. No code of SQLite's.
    package static let logFull = Code(rawValue: -1)
  }

  public var code: Code
  /// The extended result code, such as SQLITE_IOERR_FSYNC.
  public var extendedCode: Int32
  /// SQLite's own message.
  public var message: String
  /// The statement that failed, without the values that were bound to it.
  public var sql: String?

  public init(code: Code, extendedCode: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }
}

extension SQLiteError {
  /// Whether it may be that the files of the write-ahead log, which reading needs too, cannot be made
  /// (SQLite: "Write-Ahead Logging", Read-Only Databases).
  package var isOfLog: Bool {
    switch code {
    case .cannotOpen, .readOnly, .full: true
    case .inputOutput:
      [SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8, SQLITE_IOERR | 21 << 8].contains(
        extendedCode)
    default: false
    }
  }
}

extension SQLiteError: CustomStringConvertible {
  /// One line: SQLite's message, its code, and the statement.
  public var description: String {
    var text = "SQLite: \(message) (code \(extendedCode))"
    if let sql {
      text += " in: " + sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return text
  }
}
