import CSQLite3

extension Statement {
  /// Binds a blob of zeros, to be filled with `Connection.writeBlob`.
  package func bindZeroBlob(_ index: Int32, count: Int) {
    unsafe sqlite3_bind_zeroblob64(handle, index, UInt64(count))
  }
}

extension Connection {
  /// Fills a blob from its beginning, a piece at a time: it is never in memory as a whole (SQLite:
  /// sqlite3_blob_open).
  ///
  /// - Throws: what SQLite says; also when more is written than the blob has room for.
  package func writeBlob(
    _ table: String, column: String, row: Int64, _ body: (inout BlobWriter) -> Void
  ) throws(SQLiteError) {
    var blob: OpaquePointer?
    let opened = unsafe sqlite3_blob_open(handle, "main", table, column, row, 1, &blob)
    guard opened == SQLITE_OK, let blob = unsafe blob else {
      throw unsafe SQLiteError(result: opened, database: handle, sql: nil)
    }
    var writer = unsafe BlobWriter(blob)
    body(&writer)
    writer.flush()
    let closed = unsafe sqlite3_blob_close(blob)
    let result = writer.result == SQLITE_OK ? closed : writer.result
    guard result == SQLITE_OK else {
      throw unsafe SQLiteError(result: result, database: handle, sql: nil)
    }
  }
}

/// Appends numbers to a blob.
@safe
package struct BlobWriter {
  private let blob: OpaquePointer
  private var piece: [UInt8] = []
  private var offset: Int32 = 0
  private(set) var result = SQLITE_OK

  fileprivate init(_ blob: OpaquePointer) {
    unsafe self.blob = blob
    piece.reserveCapacity(BlobWriter.pieceSize)
  }

  private static let pieceSize = 16 << 10

  /// Appends a number, its lowest byte first.
  package mutating func append(_ number: UInt64) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe piece.append(contentsOf: $0) }
    if piece.count >= BlobWriter.pieceSize { flush() }
  }

  fileprivate mutating func flush() {
    guard result == SQLITE_OK, !piece.isEmpty else { return }
    let count = Int32(piece.count)
    result = unsafe piece.withUnsafeBytes { bytes in
      unsafe sqlite3_blob_write(blob, bytes.baseAddress, count, offset)
    }
    offset += count
    piece.removeAll(keepingCapacity: true)
  }
}
