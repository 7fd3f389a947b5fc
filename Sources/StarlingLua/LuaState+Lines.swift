import CLuaShim

/// Where Lua code stands in its text.
extension LuaState {
  /// The line of the Lua code that called the running host function; nil when none did.
  package var callerLine: Int? {
    let line = unsafe Int(starling_caller_line(host))
    return line > 0 ? line : nil
  }

  /// The lines on which a Lua function is written; nil for a function of the host.
  package func lines(of function: LuaFunction) throws(LuaError) -> ClosedRange<Int>? {
    try check(function.reference)
    var (first, last): (Int32, Int32) = (0, 0)
    guard unsafe starling_function_lines(host, function.reference.number, &first, &last),
      first <= last
    else { return nil }
    return Int(first)...Int(last)
  }
}
