import CLuaShim

/// Stops a state's running call from any thread or signal handler.
///
/// The flag stays raised until `clear()`: a call that begins while it is raised stops at once.
@safe
package final class InterruptHandle: @unchecked Sendable {
  // Unchecked because of the pointer: it is constant, and what it points to is one atomic flag with
  // an atomic count of its holders.
  let flag: OpaquePointer

  package init() {
    unsafe flag = unsafe starling_interrupt_new()
  }

  deinit {
    unsafe starling_interrupt_release(flag)
  }

  /// Asks for the stop; the running call ends within some 10 ms. Async-signal-safe.
  package func interrupt() { unsafe starling_interrupt_raise(flag) }

  /// Takes the request back, before the next chunk of a console, say.
  package func clear() { unsafe starling_interrupt_clear(flag) }

  package var isRaised: Bool { unsafe starling_interrupt_is_raised(flag) }
}
