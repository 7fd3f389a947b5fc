import CLuaShim
package import StarlingModel

/// Where Lua code stands in its text.
extension LuaState {
  /// What a chunk of the host's own is called: errors are placed where a script called it.
  package static let hostChunk = STARLING_HOST_CHUNK

  /// The line of the Lua code that called the running host function; nil when none did.
  package var callerLine: Int? {
    let line = unsafe Int(starling_caller_line(host))
    return line > 0 ? line : nil
  }

  /// Keeps for each call where its Lua function returned; Lua is several times slower meanwhile.
  package func traceReturns(_ isOn: Bool) { unsafe starling_trace_returns(host, isOn) }

  /// Where the function of the last call returned, or the one that it ended with as a tail call;
  /// nil when that is not traced.
  package var lastReturn: SourceLocation? {
    let line = unsafe Int(starling_return_line(host))
    guard line > 0, let source = unsafe starling_return_source(host) else { return nil }
    return SourceLocation(file: unsafe String(cString: source), line: line)
  }

  /// The chunk and the lines in which a Lua function is written; nil for a function of the host.
  package func lines(
    of function: LuaFunction
  ) throws(LuaError) -> (chunk: String, lines: ClosedRange<Int>)? {
    try check(function.reference)
    var (first, last): (Int32, Int32) = (0, 0)
    let number = function.reference.number
    let size = Int(STARLING_SOURCE_SIZE)
    let chunk = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { source in
      guard let start = source.baseAddress,
        unsafe starling_function_lines(host, number, start, &first, &last)
      else { return String?.none }
      return unsafe String(cString: start)
    }
    guard let chunk, first <= last else { return nil }
    return (chunk, Int(first)...Int(last))
  }
}
