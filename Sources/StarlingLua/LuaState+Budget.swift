import CLuaShim

/// Tells whether a state's running call must stop, for progress handlers of the host. It does not
/// keep the state, and is no weak reference to it: one would make each counting of references to
/// the state several times as dear.
package struct LuaStopCheck {
  let core: LuaCore

  /// Reads the clock. True once the state is gone.
  package var mustStop: Bool {
    guard let host = unsafe core.host else { return true }
    return unsafe Int(starling_poll(host)) != STARLING_STOP_NONE
  }

  /// - Throws: `interrupted` when the call must stop.
  package func check() throws(LuaError) {
    guard let host = unsafe core.host else { throw .interrupted(.request) }
    switch unsafe Int(starling_poll(host)) {
    case STARLING_STOP_NONE: break
    case STARLING_STOP_INTERRUPT: throw .interrupted(.request)
    default: throw .interrupted(.time)
    }
  }
}

extension LuaState {
  package var stopCheck: LuaStopCheck { LuaStopCheck(core: core) }

  /// Whether the running call must stop; reads the clock. For loops of the host.
  package var mustStop: Bool { stopCheck.mustStop }

  /// For host functions that work long: ends them when the call's time or memory is used up.
  /// - Throws: `interrupted`, `outOfMemory`.
  package func checkBudget() throws(LuaError) {
    try stopCheck.check()
    if unsafe starling_over_memory(host) {
      throw .outOfMemory(limit: configuration.memoryLimit)
    }
  }

  /// The same for a function that makes a string, which may not pass the state's limit.
  package func checkBudget(holding bytes: Int) throws(LuaError) {
    try checkBudget()
    let limit = configuration.stringLimit
    if bytes > limit { throw .outOfMemory(limit: limit) }
  }

  /// Whether a stop had to leave Lua in the middle of something that no hook can end, such as one
  /// collection of a large heap. Every later call throws; the owner makes a new state.
  package var isLost: Bool { unsafe starling_is_lost(host) }

  /// Time until the running call's deadline, never negative; nil without one.
  package var timeLeft: Duration? {
    let left = unsafe starling_time_left(host)
    return left == .max ? nil : .nanoseconds(Int64(clamping: left))
  }

  /// Time spent in this state's calls so far.
  package var timeUsed: Duration { .nanoseconds(Int64(clamping: timeUsedNanoseconds)) }
  package var timeUsedNanoseconds: UInt64 { unsafe starling_time_used(host) }

  /// Puts the running call's deadline off, for time that a person took.
  package func extendDeadline(by duration: Duration) {
    unsafe starling_extend(host, nanoseconds(duration))
  }

  /// Does what is not the call's own work, such as storing its result: that time does not count.
  package func offTheClock<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = starling_clock()
    defer { unsafe starling_extend(host, starling_clock() &- start) }
    return try body()
  }

  /// Bytes that Lua holds now, with what was charged.
  package var memoryUsed: Int { Int(clamping: unsafe starling_memory_used(host)) }

  /// Collects garbage for about so long at most.
  ///
  /// - Returns: whether one collection was made from its beginning to its end. It also takes memory
  ///   back that a deep recursion has left with the stack.
  package func collect(for duration: Duration) -> Bool {
    unsafe starling_collect_for(host, nanoseconds(duration))
  }

  /// Lets the state have so many bytes beyond its limit, in place of what it was let have before: for
  /// an owner who wants code to run that lets go of what fills it.
  package func setReserve(bytes: Int) { unsafe starling_set_reserve(host, max(0, bytes)) }

  /// Whether little is left of the memory, garbage counted as used.
  package var isNearlyFull: Bool {
    configuration.memoryLimit - memoryUsed < configuration.memoryLimit / 8
  }

  /// Whether so much is left of the memory, garbage counted as used.
  package func hasRoom(bytes: Int) -> Bool { unsafe starling_room(host) >= max(0, bytes) }

  /// The most bytes that Lua held since the state was made or `resetPeakMemory`.
  package var memoryPeak: Int { Int(clamping: unsafe starling_memory_peak(host)) }

  package func resetPeakMemory() { unsafe starling_reset_peak(host) }

  /// Counts memory that the host holds for the script against the limit.
  package func charge(bytes: Int) { unsafe starling_charge(host, max(0, bytes)) }
  package func discharge(bytes: Int) { unsafe starling_discharge(host, max(0, bytes)) }

  /// A way to count memory that does not keep the state.
  package var memoryCount: LuaMemoryCount { LuaMemoryCount(core: core) }

  /// For tests: the n-th allocation from now on while Lua code runs, and all later ones, fail; nil
  /// ends that.
  package func failAllocation(_ n: Int?) { unsafe starling_fail_allocation(host, n ?? 0) }
}

/// Counts memory that the host holds for a state's code, for those who outlive its calls. It does not
/// keep the state.
package struct LuaMemoryCount {
  let core: LuaCore

  /// - Returns: false when the limit is passed; the bytes count in any case. False once the state is
  ///   gone.
  package func add(_ bytes: Int) -> Bool {
    guard let host = unsafe core.host else { return false }
    unsafe starling_charge(host, max(0, bytes))
    return unsafe !starling_over_memory(host)
  }

  package func remove(_ bytes: Int) {
    if let host = unsafe core.host { unsafe starling_discharge(host, max(0, bytes)) }
  }
}
