import StarlingSQLite

/// A database as it was to be opened, or for reading only.
struct OpenedDatabase {
  var connection: Connection
  var options: StoreOptions
  /// Why it can only be read, where it was to be written.
  var unwritable: FavoritesError?
  /// Set where nothing is locked.
  var stillFile: StillFile?
}

extension FavoritesStore {
  /// Opens a database; for reading only where it cannot be written, or where the files that belong to
  /// its log cannot be made beside it.
  static func openAsFarAsPossible(
    _ location: Location, _ options: StoreOptions
  ) throws(FavoritesError) -> OpenedDatabase {
    guard case .file(let path) = location else {
      return OpenedDatabase(connection: try open(location, options), options: options)
    }
    let refusal: FavoritesError
    do throws(FavoritesError) {
      let connection = try open(location, options)
      guard let error = connection.refusalOfLog else {
        return OpenedDatabase(connection: connection, options: options)
      }
      refusal = FavoritesError(error, path: path)
    } catch {
      guard case .readOnly = error else { throw error }
      refusal = error
    }
    guard let opened = openForReading(path, options, refusal) else { throw refusal }
    return opened
  }

  private static func openForReading(
    _ path: String, _ options: StoreOptions, _ refusal: FavoritesError
  ) -> OpenedDatabase? {
    var unwritable = options.readOnly ? nil : refusal
    if case .full = unwritable { unwritable = .fullAtOpening(path: path) }
    var options = options
    options.readOnly = true
    // The files of the log may be there, or not be needed.
    if let shared = try? open(.file(path), options), shared.refusalOfLog == nil {
      return OpenedDatabase(connection: shared, options: options, unwritable: unwritable)
    }
    guard let file = StillFile(path),
      let alone = try? Connection(path: path, mode: .immutable, busyTimeoutMilliseconds: 0)
    else { return nil }
    return OpenedDatabase(
      connection: alone, options: options, unwritable: unwritable, stillFile: file)
  }
}

extension Connection {
  /// Why the file cannot be looked at as it is, where the files that belong to its log are the reason:
  /// they are looked for at the first look. Any other error comes again at the next.
  fileprivate var refusalOfLog: SQLiteError? {
    do {
      _ = try integer("PRAGMA application_id")
      return nil
    } catch {
      return error.isOfLog ? error : nil
    }
  }
}
