import Glibc

/// CPU time of this process in seconds.
func cpuSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A line that the driver reads: a name and a number.
func report(_ name: String, _ value: Double) {
  print("\(name) \(value)")
}
