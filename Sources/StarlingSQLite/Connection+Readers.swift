import CSQLite3
import Glibc

extension Connection {
  /// Whether another process has a read transaction open. Unlike a checkpoint, which waits for the end
  /// of one's own transaction, it can be asked within that.
  ///
  /// Asks the system who locks the bytes of the shared memory's file that stand for readers (SQLite:
  /// "WAL-mode File Format", File Locking). False where there is no such file, and for a reader in this
  /// process, whose locks are this connection's own.
  package var isReadElsewhere: Bool {
    guard let descriptor = sharedMemoryDescriptor else { return false }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 123
    lock.l_len = 5
    return unsafe fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// What SQLite has the shared memory's file open as. It is looked for among this process's open files:
  /// to open it once more and close that would let go of all of SQLite's locks on it (fcntl(2)).
  private var sharedMemoryDescriptor: Int32? {
    guard let name = unsafe sqlite3_db_filename(handle, "main"), unsafe name.pointee != 0 else {
      return nil
    }
    var wanted = stat()
    guard unsafe stat(String(cString: name) + "-shm", &wanted) == 0 else { return nil }
    return (0..<min(getdtablesize(), 1 << 16)).first { descriptor in
      var found = stat()
      return unsafe fstat(descriptor, &found) == 0 && found.st_ino == wanted.st_ino
        && found.st_dev == wanted.st_dev
    }
  }
}
