import StarlingLua
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stops a script from elsewhere: another thread, a task that was cancelled, a signal handler.
public final class StopHandle: Sendable {
  let interrupt = InterruptHandle()
  /// The process group of the program that the script runs; 0 for none.
  private let program = Atomic<Int32>(0)

  public init() {}

  /// Asks for the stop: the script ends within some 10 ms, whatever it does, and what it left
  /// half-done is rolled back. Async-signal-safe.
  public func stop() { interrupt.interrupt() }

  /// Takes the request back, before the next chunk of a console.
  package func clear() { interrupt.clear() }

  package var isStopped: Bool { interrupt.isRaised }

  /// Ends the program that the script runs, with all that it started, where there is no time to ask
  /// it. Async-signal-safe.
  package func killProgram() {
    let group = program.load(ordering: .relaxed)
    if group > 0 { kill(-group, SIGKILL) }
  }

  /// - Parameter group: nil once the number may be another's.
  func runsProgram(_ group: Int32?) { program.store(group ?? 0, ordering: .relaxed) }
}
