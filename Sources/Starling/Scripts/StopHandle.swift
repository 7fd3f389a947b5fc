import StarlingLua

/// Stops a script from elsewhere: another thread, a task that was cancelled, a signal handler.
public final class StopHandle: Sendable {
  let interrupt = InterruptHandle()

  public init() {}

  /// Asks for the stop: the script ends within some 10 ms, whatever it does, and what it left
  /// half-done is rolled back. Async-signal-safe.
  public func stop() { interrupt.interrupt() }

  /// Takes the request back, before the next chunk of a console.
  package func clear() { interrupt.clear() }

  package var isStopped: Bool { interrupt.isRaised }
}
