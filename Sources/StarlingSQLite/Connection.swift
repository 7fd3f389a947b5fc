import CSQLite3
import Glibc

/// An open database. One thread at a time uses it; statements do not outlive it.
///
/// SQLite is opened without its own mutex (SQLITE_OPEN_NOMUTEX), so the owner's isolation is what
/// keeps two threads apart.
@safe
package final class Connection {
  /// How a database is opened.
  package enum Mode: Sendable {
    case readOnly
    /// For reading a file that nobody changes meanwhile: without locks, and without the files beside
    /// it that the log needs (SQLite: URI Filenames, immutable).
    case immutable
    case readWrite
    case create
  }

  /// The path as given; empty for a database in memory.
  package let path: String
  let handle: OpaquePointer
  private let usualValueLimit: Int32
  /// Prepared statements by their SQL. A statement in use is not in here.
  private var statements: [String: (statement: Statement, use: Int)] = [:]
  private var uses = 0
  /// How many transactions are open, the outermost counting as one. Computed, since an access to what
  /// other modules see stored would be checked at run time, at each look-up.
  package var depth: Int { levels }
  var levels = 0
  var control = TransactionStatements()
  private var interruptCheck: InterruptCheck?
  /// Whether queries have `search_rank`.
  var hasSearchRanking = false
  var logLimit: LogLimit?
  let busyTimeoutMilliseconds: Int32

  /// Opens a database file; an empty path opens one in memory.
  ///
  /// - Throws: `cannotOpen`, `permission` and others. A file that is no database is found out only
  ///   by the first statement.
  package init(path: String, mode: Mode, busyTimeoutMilliseconds: Int32) throws(SQLiteError) {
    self.path = path
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch mode {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .immutable: flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var opened: OpaquePointer?
    var name = path.isEmpty ? ":memory:" : path
    if mode == .immutable { name = Connection.immutableURI(path) }
    let result = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard result == SQLITE_OK, let opened = unsafe opened else {
      let error = unsafe SQLiteError(result: result, database: opened, sql: nil)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    usualValueLimit = unsafe sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, -1)
    unsafe sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
    // A hostile file must not run code through its schema (SQLite: "Defense Against The Dark Arts").
    unsafe _ = starling_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    unsafe _ = starling_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    // A quoted name that is misspelt must be an error, not a text.
    unsafe _ = starling_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    unsafe _ = starling_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    addRowTest()
    addRowSink()
  }

  private static func immutableURI(_ path: String) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...:
        uri += "%" + String(byte, radix: 16, uppercase: true)
      default: uri.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return uri + "?immutable=1"
  }

  deinit {
    control = TransactionStatements()
    statements.removeAll()
    // A statement that somebody still holds keeps the database open until it is finalized.
    unsafe sqlite3_close_v2(handle)
  }

  /// Compiles one statement. The caller keeps it; see `statement(_:)` for the cache.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var sql = sql
    var compiled: OpaquePointer?
    let result = sql.withUTF8 { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(clamping: text.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
      }
    }
    guard result == SQLITE_OK else {
      throw unsafe SQLiteError(result: result, database: handle, sql: sql)
    }
    guard let compiled = unsafe compiled else {
      throw SQLiteError(
        code: .misuse, extendedCode: SQLITE_MISUSE, message: "there is no statement", sql: sql)
    }
    return unsafe Statement(compiled, database: handle)
  }

  /// Lends a prepared statement to `body`, from the cache when it is there and not in use.
  ///
  /// Up to 128 statements are kept; the one unused for longest goes first.
  package func withStatement<Result>(
    _ sql: String, _ body: (Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let statement = try take(sql)
    defer { give(statement, sql) }
    return try body(statement)
  }

  /// Takes a statement out of the cache, or compiles it; `give` puts it back.
  package func take(_ sql: String) throws(SQLiteError) -> Statement {
    if let known = statements.removeValue(forKey: sql) { return known.statement }
    return try prepare(sql)
  }

  /// Resets a statement and keeps it for the next `take`.
  package func give(_ statement: Statement, _ sql: String) {
    statement.reset()
    uses += 1
    statements[sql] = (statement, uses)
    if statements.count > 128, let oldest = statements.min(by: { $0.value.use < $1.value.use }) {
      statements[oldest.key] = nil
    }
  }

  /// Runs one statement or several, separated by `;`, and drops their rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else {
      throw unsafe SQLiteError(result: result, database: handle, sql: sql)
    }
  }

  /// The first column of the first row as an integer, or nil when there is no row or it is NULL.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    try withStatement(sql) { statement throws(SQLiteError) in
      try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }
  }

  /// The first column of all rows as text.
  package func texts(_ sql: String) throws(SQLiteError) -> [String] {
    try withStatement(sql) { statement throws(SQLiteError) in
      var texts: [String] = []
      while try statement.step() { texts.append(statement.string(0) ?? "") }
      return texts
    }
  }

  /// The rows that statements of this connection have changed since it was opened.
  package var totalChanges: Int64 { unsafe sqlite3_total_changes64(handle) }

  /// Runs `body` with another check besides the one that is set.
  package func withInterruptCheck<Result, Failure>(
    _ check: @escaping () -> Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = interruptCheck?.check
    setInterruptCheck { check() || outer?() ?? false }
    defer { setInterruptCheck(outer) }
    return try body()
  }

  /// What the interrupt check says now.
  package var mustStop: Bool { interruptCheck?.check() ?? false }

  /// Bounds the length of each value and row that is read or written; nil for SQLite's own bound
  /// (SQLite: SQLITE_LIMIT_LENGTH).
  package func limitValues(bytes: Int?) {
    unsafe sqlite3_limit(
      handle, SQLITE_LIMIT_LENGTH, bytes.map { Int32(clamping: max(0, $0)) } ?? usualValueLimit)
  }

  /// Has `check` asked every few thousand steps of SQLite's machine; true stops the statement with
  /// `interrupted`. Nil takes the check away (SQLite: sqlite3_progress_handler).
  package func setInterruptCheck(_ check: (() -> Bool)?) {
    guard let check else {
      unsafe sqlite3_progress_handler(handle, 0, nil, nil)
      interruptCheck = nil
      return
    }
    let box = InterruptCheck(check)
    interruptCheck = box
    unsafe sqlite3_progress_handler(
      handle, 4096,
      { context in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<InterruptCheck>.fromOpaque(context).takeUnretainedValue().check()
          ? 1 : 0
      }, Unmanaged.passUnretained(box).toOpaque())
  }
}

@available(*, unavailable)
extension Connection: Sendable {}

/// Keeps the closure alive for C.
private final class InterruptCheck {
  let check: () -> Bool

  init(_ check: @escaping () -> Bool) {
    self.check = check
  }
}

extension SQLiteError {
  init(result: Int32, database: OpaquePointer?, sql: String?) {
    let known = unsafe database != nil
    let extended = known ? unsafe sqlite3_extended_errcode(database) : result
    var code = Code(rawValue: result & 0xff)
    var message =
      known
      ? unsafe String(cString: sqlite3_errmsg(database))
      : unsafe String(cString: sqlite3_errstr(result))
    // "disk I/O error" and "unable to open database file" stand for whatever the system said.
    if known, code == .inputOutput || code == .cannotOpen {
      let system = unsafe sqlite3_system_errno(database)
      if [ENOSPC, EDQUOT, EFBIG].contains(system) { code = .full }
      if system != 0, let text = unsafe strerror(system) {
        unsafe message += ": " + String(cString: text)
      }
    }
    self.init(
      code: code, extendedCode: extended & 0xff == result & 0xff ? extended : result,
      message: message, sql: sql)
  }
}

extension Connection {
  /// The rowid of the last row that this connection inserted.
  package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// The rows that the last statement changed.
  package var changes: Int64 { unsafe sqlite3_changes64(handle) }
}
