public import StarlingModel
public import StarlingSQLite

/// Why the store did not do what it was asked. Nothing of it was done, then.
public enum FavoritesError: Error, Sendable {
  case unknownKind(String, nearest: String?)
  case unknownField(kind: String, field: String, nearest: String?)
  /// The entity has no key, or one that cannot be kept.
  case badKey(kind: String, reason: String)
  case badValue(kind: String, field: String, reason: String)
  case badQuery(reason: String)
  /// A Swift type can be no kind, or one of its values no entity: a property that no field can hold.
  case cannotMap(type: String, field: String?, reason: String)
  /// An entity of the store is no value of a Swift type: what a property must have is absent, or is
  /// not what it can be. The others of its kind may well be.
  case unfit(kind: String, key: String, type: String, field: String?, reason: String)
  /// A kind contradicts the one that the file already has: its key or a field's type changed.
  case kindConflict(KindConflict)
  case cannotOpen(path: String, reason: String)
  case notADatabase(path: String)
  /// Too short for a database; or empty, and what is beside it shows that it was one.
  case cutOff(path: String, bytes: Int, beside: String?)
  /// A SQLite file of another program.
  case foreign(path: String)
  case newerSchema(path: String, found: Int64, supported: Int64)
  case corrupt(path: String, detail: String)
  case readOnly(path: String)
  case full(path: String)
  /// The disk was full when the file was opened: since then it can only be read.
  case fullAtOpening(path: String)
  /// The file was deleted or moved away since it was opened: what is written would be lost.
  case moved(path: String)
  /// A file of another program that is to be taken over is damaged.
  case unreadable(path: String, reason: String)
  /// The system could not read or write the file.
  case inputOutput(path: String, reason: String)
  /// Another process wrote for longer than the busy time-out.
  case busy(path: String)
  /// Another program has been reading in one transaction for so long that the write-ahead log has
  /// no room.
  case logFull(path: String)
  /// The interrupt check said stop.
  case stopped
  /// What was asked for is more than the caller may hold.
  case outOfMemory
  case notFound(String)
  /// An earlier statement of this transaction failed half-way; it can only be rolled back.
  case brokenTransaction
  /// A temporary file could not be written or read.
  case spool(reason: String)
  case database(SQLiteError)
}

extension FavoritesError: CustomStringConvertible {
  /// One line: what failed, on what, why, and what to do next where that can be said.
  public var description: String { facts + (remedy?.library ?? "") }

  /// The same for a person at the command, who does what is next with other words.
  package var commandDescription: String { facts + (remedy?.command ?? "") }

  private var facts: String {
    switch self {
    case .unknownKind(let name, let nearest):
      "there is no kind \"\(name)\"" + FavoritesError.hint(nearest)
    case .unknownField(let kind, let field, let nearest):
      "kind \(kind) has no field \"\(field)\"" + FavoritesError.hint(nearest)
    case .badKey(let kind, let reason): "kind \(kind): \(reason)"
    case .badValue(let kind, let field, let reason): "kind \(kind), field \(field): \(reason)"
    case .badQuery(let reason): "the query cannot be asked: \(reason)"
    case .cannotMap(let type, let field, let reason):
      "type \(type)" + (field.map { ", field \($0)" } ?? "") + ": \(reason)"
    case .unfit(let kind, let key, let type, let field, let reason):
      "\(kind) \(key) is no \(type)" + (field.map { ": field \($0)" } ?? "") + ": \(reason)"
    case .kindConflict(let conflict): conflict.description
    case .cannotOpen(let path, let reason): "\(path): the database cannot be opened: \(reason)"
    case .notADatabase(let path): "\(path): this is no SQLite database"
    case .cutOff(let path, let bytes, nil):
      "\(path): this is no SQLite database, or the beginning of one that was cut off: it has"
        + " \(bytes) \(bytes == 1 ? "byte" : "bytes")"
    case .cutOff(let path, _, let beside?):
      "\(path): the file is empty, but was a database, as \(beside) shows"
    case .foreign(let path): "\(path): this database belongs to another program"
    case .newerSchema(let path, let found, let supported):
      "\(path): written by a newer Starling (schema \(found), this one knows \(supported));"
        + " nothing was changed, update Starling"
    case .corrupt(let path, let detail): "\(path): the database is damaged: \(detail)"
    case .readOnly(let path):
      "\(path): the database cannot be written: the file or its folder is read-only"
    case .full(let path):
      "\(path): the disk is full; nothing of this change was kept: make room and try again"
    case .fullAtOpening(let path):
      "\(path): the disk was full when the database was opened; nothing of this change was kept:"
        + " make room and open it again"
    case .moved(let path):
      "\(path): the file was deleted, moved or replaced while it was open; nothing of this change was"
        + " kept: open it anew"
    case .unreadable(let path, let reason):
      "\(path): the file is damaged: \(reason); nothing was taken over: take a whole copy of it"
    case .inputOutput(let path, let reason):
      "\(path): the file cannot be read or written: \(reason); nothing of this change was kept"
    case .busy(let path):
      "\(path): another process has been writing for too long; try again when it is done"
    case .logFull(let path):
      "\(path): another program has been reading the database for too long, and its log, which is"
        + " kept meanwhile, has no room for this change; nothing of it was kept: end that program and"
        + " try again"
    case .stopped: "the query was stopped"
    case .outOfMemory: "there is not enough memory for what the database has of it"
    case .notFound(let what): "there is no \(what)"
    case .brokenTransaction:
      "the transaction failed at an earlier statement and can only be rolled back"
    case .spool(let reason): "the temporary file for a large feed failed: \(reason)"
    case .database(let error): error.description
    }
  }

  private static func hint(_ nearest: String?) -> String {
    nearest.map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Tells apart what callers treat apart.
  init(_ error: SQLiteError, path: String) {
    switch error.code {
    case .readOnly, .permission: self = .readOnly(path: path)
    case .full: self = .full(path: path)
    case .inputOutput: self = .inputOutput(path: path, reason: error.message)
    case .busy, .locked: self = .busy(path: path)
    case .interrupted: self = .stopped
    case .logFull: self = .logFull(path: path)
    case .outOfMemory, .tooBig: self = .outOfMemory
    case .corrupt: self = .corrupt(path: path, detail: error.message)
    case .notADatabase: self = .notADatabase(path: path)
    case .cannotOpen: self = .cannotOpen(path: path, reason: error.message)
    default: self = .database(error)
    }
  }
}
