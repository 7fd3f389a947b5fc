/// What a plugin did since this was last written down: its calls, stops and errors.
final class PluginMeter {
  var times = TimeHistogram()
  var calls = 0
  var peakMemory = 0
  /// Stops for time or memory, and whether a feed was mapped to its end since the last one.
  var stops: [HostError] = []
  var hasMapped = false
  var lastError: HostError?

  var isEmpty: Bool { calls == 0 && stops.isEmpty && lastError == nil }

  func noteCall(_ nanoseconds: UInt64) {
    calls &+= 1
    times.add(nanoseconds)
  }

  func note(_ error: HostError) {
    lastError = error
    guard error.kind == .time || error.kind == .memory else { return }
    stops.append(error)
    hasMapped = false
  }

  func noteFeed() { hasMapped = true }

  func reset() {
    times = TimeHistogram()
    calls = 0
    peakMemory = 0
    stops = []
    hasMapped = false
    lastError = nil
  }
}

@available(*, unavailable)
extension PluginMeter: Sendable {}
