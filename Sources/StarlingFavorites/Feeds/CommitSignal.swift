/// Wakes the tasks that wait for a store's next commit.
///
/// One of the few things that cross threads: the store's owner notifies, tasks anywhere wait.
final class CommitSignal: Sendable {
  private enum Waiter {
    /// It has said that it will wait.
    case coming
    case waiting(CheckedContinuation<Void, Never>)
    /// It was woken before it waited.
    case woken
  }

  private struct State {
    var commits: UInt64 = 0
    var lastWaiter: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
  }

  private let state = Guarded(State())

  /// How many commits there were. Asked before a look at the file, so that none is missed.
  var commits: UInt64 { state.withLock { $0.commits } }

  /// Wakes all that wait.
  func notify() {
    let woken = state.withLock { state in
      state.commits &+= 1
      let waiters = state.waiters
      for number in waiters.keys { state.waiters[number] = .woken }
      return waiters.values
    }
    for case .waiting(let continuation) in woken { continuation.resume() }
  }

  /// Waits for a commit after the first `seen`, for no longer than `time`, and not in a task that is
  /// canceled.
  func wait(after seen: UInt64, atMost time: Duration) async {
    let number = state.withLock { state -> UInt64? in
      guard state.commits == seen else { return nil }
      state.lastWaiter &+= 1
      state.waiters[state.lastWaiter] = .coming
      return state.lastWaiter
    }
    guard let number else { return }
    let timer = Task { [self] in
      try? await Task.sleep(for: time)
      wake(number)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWoken = state.withLock { state in
          if case .woken = state.waiters[number] { return true }
          state.waiters[number] = .waiting(continuation)
          return false
        }
        if isWoken { continuation.resume() }
      }
    } onCancel: {
      wake(number)
    }
    timer.cancel()
    state.withLock { _ = $0.waiters.removeValue(forKey: number) }
  }

  private func wake(_ number: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      guard let waiter = state.waiters[number] else { return nil }
      state.waiters[number] = .woken
      return waiter
    }
    if case .waiting(let continuation) = waiter { continuation.resume() }
  }
}
