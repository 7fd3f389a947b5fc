#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that one thread at a time sees, behind a lock of POSIX (pthread_mutex_lock(3)).
///
/// Not the standard library's `Mutex`: when two threads contend for it, it locks inside of the Swift
/// runtime, where the thread sanitizer cannot see it, and each such access is then reported as a race.
/// These locks guard what is taken a few times a commit, and a lock that can be proven right is worth
/// the allocation.
@safe
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init(_ value: Value) {
    self.value = value
    unsafe lock = .allocate(capacity: 1)
    // Fails for want of memory or with attributes only, and there are none here: pthread_mutex_init(3).
    _ = unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// What `body` makes of the value. It must not ask for the same value again, and takes no time.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body(&value)
  }
}
