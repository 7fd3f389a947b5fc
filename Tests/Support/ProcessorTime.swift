import Glibc

/// The processor time that this thread has used: what a stop is judged by, so that other work on the
/// machine makes no difference.
package enum ProcessorTime {
  package static func spent(in body: () throws -> Void) rethrows -> Duration {
    let start = now()
    try body()
    return now() - start
  }

  package static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
