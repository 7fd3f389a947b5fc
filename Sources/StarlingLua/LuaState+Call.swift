import CLua54
import CLuaShim

/// The results of a call, lent to the closure that reads them.
@safe
package struct LuaResults: ~Copyable {
  let lua: OpaquePointer
  let base: Int32
  package let count: Int
  /// Results behind these that were left out, where the caller wanted some only.
  package let leftOut: Int

  /// Result `position`, counted from 1; of type `none` beyond the last.
  package subscript(position: Int) -> LuaView {
    unsafe LuaView(lua, base + Int32(clamping: position))
  }
}

extension LuaState {
  /// Calls a Lua function in protected mode.
  ///
  /// - Parameters:
  ///   - budget: the time that this call and everything in it has; nil for the configuration's.
  ///     A call from inside a host function shares the outermost call's deadline instead.
  ///   - repeating: whether it may be made again where it set what it may not.
  ///   - mostResults: how many results are wanted; of an outermost call alone.
  ///   - arguments: pushes the arguments.
  ///   - results: reads the results, which are gone when it returns. Its steps over tables count in
  ///     the call's time; what is not the call's work goes into `offTheClock`.
  /// - Throws: `runtime`, `outOfMemory`, `interrupted`; what the two closures throw.
  package func call<Result>(
    _ function: LuaFunction, budget: Duration? = nil, repeating: LuaRepeating = .again,
    mostResults: Int? = nil,
    arguments: (inout LuaWriter) throws(LuaError) -> Void = { _ in },
    results: (borrowing LuaResults) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    try check(function.reference)
    try reserveStack()
    unsafe starling_push_reference(lua, function.reference.number)
    var writer = unsafe LuaWriter(lua)
    do throws(LuaError) {
      try arguments(&writer)
      if !writer.isComplete { throw .message("stack overflow: too many arguments") }
    } catch {
      unsafe lua_settop(lua, top)  // no to-be-closed slot is on our frames
      throw error
    }
    if let mostResults {
      unsafe starling_set_most_results(host, Int32(clamping: max(0, mostResults)))
    }
    defer { if mostResults != nil { unsafe starling_set_most_results(host, -1) } }
    let status = unsafe Int(
      starling_call(host, lua, writer.count, LUA_MULTRET, nanoseconds(budget)))
    releaseObjects()
    guard status == STARLING_OK else {
      defer { unsafe lua_settop(lua, top) }
      if status == STARLING_CHANGED {
        throw overwritten(function, repeating: repeating, arguments)
      }
      throw unsafe failure(status, lua)
    }
    let count = unsafe lua_gettop(lua) - top
    unsafe starling_reading_begin(host)
    defer { unsafe starling_reading_end(host) }
    return try unsafe lend(lua, count: count) { () throws(LuaError) in
      let leftOut = mostResults == nil ? 0 : unsafe Int(starling_results_left_out(host))
      return try results(
        unsafe LuaResults(lua: lua, base: top, count: Int(count), leftOut: leftOut))
    }
  }

  /// Calls a Lua function for what it does.
  package func call(
    _ function: LuaFunction, budget: Duration? = nil, repeating: LuaRepeating = .again,
    arguments: (inout LuaWriter) throws(LuaError) -> Void = { _ in }
  ) throws(LuaError) {
    try call(function, budget: budget, repeating: repeating, arguments: arguments) { _ in }
  }

  /// A value as `tostring` shows it, which may run a `__tostring` of Lua.
  package func display(_ view: LuaView) throws(LuaError) -> String {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }
    try reserveStack()
    let status = unsafe Int(starling_display(host, lua, view.slot, nanoseconds(nil)))
    guard status == STARLING_OK else { throw unsafe failure(status, lua) }
    guard let bytes = unsafe LuaView(lua, top + 1).bytes else { return view.type.name }
    return unsafe LuaText.lossy(bytes)
  }

  /// Takes the `count` values on top away after `body`. What it pushed above them to a writer from
  /// outside stays, unless it throws.
  func lend<Result>(
    _ lua: OpaquePointer, count: Int32, _ body: () throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let top = unsafe lua_gettop(lua) - count
    do throws(LuaError) {
      let result = try body()
      unsafe starling_cut(lua, top + 1, count)
      return result
    } catch {
      unsafe lua_settop(lua, top)  // no to-be-closed slot is on our frames
      throw error
    }
  }

  func nanoseconds(_ budget: Duration?) -> UInt64 {
    guard let limit = budget ?? configuration.timeLimit else { return 0 }
    let (seconds, attoseconds) = limit.components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    let (scaled, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return 0 }
    return max(1, scaled &+ UInt64(attoseconds) / 1_000_000_000)
  }
}

// MARK: - Errors

extension LuaState {
  /// What a protected call's status means; the error, if any, is on top of the stack.
  func failure(_ status: Int, _ lua: OpaquePointer) -> LuaError {
    switch status {
    case STARLING_SYNTAX: unsafe syntaxError(lua)
    case STARLING_MEMORY: .outOfMemory(limit: configuration.memoryLimit)
    case STARLING_STRING_LIMIT: .stringTooLong(limit: configuration.stringLimit)
    case STARLING_STOPPED: .interrupted(interruption)
    case STARLING_WALKING: .message("no Lua code can run while one of its tables is being read")
    case STARLING_LOST: .message("this Lua state was lost when it was stopped")
    case STARLING_TOO_DEEP: .message("stack overflow: calls nested too deeply")
    case STARLING_CHANGED:
      .overwritten(
        field: unsafe LuaView(lua, lua_gettop(lua)).text(atMost: 200) ?? "a field", place: nil)
    default: unsafe runtimeError(lua)
    }
  }

  private var interruption: LuaInterruption {
    unsafe Int(starling_last_stop(host)) == STARLING_STOP_INTERRUPT ? .request : .time
  }

  private func syntaxError(_ lua: OpaquePointer) -> LuaError {
    // Lua manual 5.4, lua.c: the parser met the end of the text.
    let end = Array("near <eof>".utf8)
    let bytes = unsafe LuaView(lua, lua_gettop(lua)).bytes
    let isIncomplete = unsafe bytes.map { unsafe $0.suffix(end.count).elementsEqual(end) }
    return .syntax(message: unsafe message(lua), incomplete: isIncomplete ?? false)
  }

  private func runtimeError(_ lua: OpaquePointer) -> LuaError {
    var fault = place(Int32(STARLING_PLACE_OF_FAULT)) ?? LuaFault(message: "")
    fault.message = unsafe message(lua)
    fault.cause = takeCause(fault.message)
    return .runtime(fault)
  }

  /// Where something arose, without a message.
  private func place(_ what: Int32) -> LuaFault? {
    var place = unsafe starling_place()
    guard unsafe starling_place_of(host, what, &place) else { return nil }
    let line = unsafe Int(place.line)
    let trace = unsafe UnsafeRawBufferPointer(start: place.traceback, count: place.traceback_length)
    return LuaFault(
      message: "", traceback: unsafe LuaText.lossy(trace),
      chunk: line > 0 ? unsafe String(cString: place.source) : nil, line: line > 0 ? line : nil)
  }

  /// Where the last call was when it was stopped or when memory was refused, as its error says,
  /// without a message; nil where it was not, or in code that cannot tell.
  package func stopPlace(_ error: LuaError) -> LuaFault? {
    switch error {
    case .interrupted(.time): place(Int32(STARLING_PLACE_OF_STOP))
    case .outOfMemory, .stringTooLong: place(Int32(STARLING_PLACE_OF_REFUSAL))
    default: nil
    }
  }

  private func message(_ lua: OpaquePointer) -> String {
    let view = unsafe LuaView(lua, lua_gettop(lua))
    guard let bytes = unsafe view.bytes else { return "(no message)" }
    return unsafe LuaText.lossy(bytes, atMost: LuaText.longestMessage)
  }

  /// The host's error whose message this is, with a position before it perhaps.
  private func takeCause(_ message: String) -> (any Error)? {
    defer { if unsafe starling_call_depth(host) == 0 { raised.removeAll() } }
    return raised.last { message.hasSuffix($0.message) }?.error
  }
}

// MARK: - Host functions

extension LuaState {
  /// Called by the trampoline; returns normally, always.
  @inline(__always)
  static func dispatch(
    _ function: UnsafeMutableRawPointer?, _ lua: OpaquePointer?,
    _ arguments: UnsafePointer<starling_arguments>?
  ) -> Int32 {
    guard let function = unsafe function, let lua = unsafe lua, let seen = unsafe arguments else {
      return Int32(STARLING_RAISE_STOP)
    }
    let host = unsafe Unmanaged<HostFunction>.fromOpaque(function)
    return unsafe host._withUnsafeGuaranteedRef { unsafe run($0, lua, seen) }
  }

  @inline(__always)
  private static func run(
    _ function: HostFunction, _ lua: OpaquePointer, _ seen: UnsafePointer<starling_arguments>
  ) -> Int32 {
    let call = unsafe LuaCall(lua, function: function, seen: seen)
    var results = unsafe LuaWriter(lua, room: LuaWriter.callbackRoom)
    do {
      if unsafe seen.pointee.unusual != 0, let check = function.check { try check(call) }
      try function.body(call, &results)
      if results.isComplete {
        // An error that a closure of the function caught may have taken values with it.
        if results.count <= call.count { return results.count }
        if unsafe results.count <= lua_gettop(lua) { return results.count }
      }
      return unsafe function.owner.raise(.message("stack overflow: too many results"), lua)
    } catch {
      return unsafe function.owner.raise(error, lua)
    }
  }

  /// Leaves what the trampoline raises on top.
  private func raise(_ error: LuaError, _ lua: OpaquePointer) -> Int32 {
    switch error {
    case .outOfMemory, .stringTooLong: return Int32(STARLING_RAISE_MEMORY)
    case .interrupted: return Int32(STARLING_RAISE_STOP)
    default: break
    }
    _ = unsafe lua_checkstack(lua, 8)
    // With a position before it, it must still be told by its end.
    var text = LuaText.cut(error.description, atMost: LuaText.longestMessage / 2)
    if let cause = error.cause { remember(text, cause) }
    text.withUTF8 { unsafe LuaWriter.pushBytes(lua, UnsafeRawBufferPointer($0)) }
    return Int32(STARLING_RAISE)
  }

  private func remember(_ message: String, _ error: any Error) {
    if raised.count >= 16 { raised.removeFirst() }
    raised.append((message: message, error: error))
  }
}
