public import StarlingModel

/// Why Lua code did not do what was asked. `description` is one line.
@usableFromInline
package indirect enum LuaError: Error {
  /// The source does not compile. `incomplete`: more text could make it compile (a console asks
  /// for another line).
  case syntax(message: String, incomplete: Bool)
  /// Lua code, or a host function that it called, raised an error.
  case runtime(LuaFault)
  /// The state's memory limit, in bytes, is reached.
  case outOfMemory(limit: Int)
  /// A string is longer than one may be, in bytes.
  case stringTooLong(limit: Int)
  /// The call was stopped; no Lua code could catch it.
  case interrupted(LuaInterruption)
  /// A value is not what was expected; `path` says where it was found, as in `where.price[2]`.
  case conversion(expected: String, found: String, path: String)
  /// A call set a field that other calls see: of the library, or of what the host lends to several
  /// calls. It was put back. `place`: where it was set, if that was found.
  case overwritten(field: String, place: SourceLocation?)
}

/// Who stopped a call.
@usableFromInline
package enum LuaInterruption: Sendable, Hashable {
  /// Its time was over.
  case time
  /// `InterruptHandle.interrupt()`: Ctrl-C, a cancelled task.
  case request
}

/// A runtime error: what was raised, and where.
@usableFromInline
package struct LuaFault: Sendable {
  /// The error as text: `chunk:line: message` as Lua words it; a table's `__tostring` is asked.
  package var message: String
  /// Lua's traceback from the place of the error, beginning with `stack traceback:`; or empty.
  package var traceback: String
  /// The chunk, as shown in messages, and line of the innermost Lua function; nil when there was
  /// none.
  package var chunk: String?
  package var line: Int?
  /// The error of the host that a host function threw, whole.
  package var cause: (any Error)?
  /// The names that lead to what is wrong, from the outside, where the host found it in a value.
  package var steps: [String]

  package init(
    message: String, traceback: String = "", chunk: String? = nil, line: Int? = nil,
    cause: (any Error)? = nil, steps: [String] = []
  ) {
    self.message = message
    self.traceback = traceback
    self.chunk = chunk
    self.line = line
    self.cause = cause
    self.steps = steps
  }
}

extension LuaError {
  /// An error with a message; raised in Lua with the caller's position before it.
  ///
  /// - Parameter name: the field of a value that it is about.
  package static func message(
    _ text: String, about name: String? = nil, cause: (any Error)? = nil
  ) -> LuaError {
    .runtime(
      LuaFault(
        message: LuaText.cut(text, atMost: LuaText.longestMessage), cause: cause,
        steps: name.map { [$0] } ?? []))
  }

  /// The names of the fields that lead to what is wrong, from the outside.
  package var steps: [String] {
    switch self {
    case .runtime(let fault): fault.steps
    case .conversion(_, _, let path):
      path.split { $0 == "." || $0 == "[" }.map(String.init).filter { !$0.hasSuffix("]") }
    default: []
    }
  }

  /// The host's own error, to come back as `LuaFault.cause` when Lua code does not catch it. Lua
  /// sees its description.
  package static func host(_ error: any Error) -> LuaError {
    .runtime(LuaFault(message: String(describing: error), cause: error))
  }

  /// The host's error that this one carries.
  package var cause: (any Error)? {
    if case .runtime(let fault) = self { fault.cause } else { nil }
  }

  /// A syntax error with the whole name of its chunk: Lua cuts a name after 59 bytes (LUA_IDSIZE).
  func inChunk(_ name: String) -> LuaError {
    guard case .syntax(let message, let incomplete) = self, name.utf8.count > 59 else {
      return self
    }
    let short = name.utf8.prefix(59)
    guard message.utf8.starts(with: short) else { return self }
    return .syntax(
      message: name + String(decoding: message.utf8.dropFirst(59), as: UTF8.self),
      incomplete: incomplete)
  }

  /// The same error seen from further out: `name` or `[index]` is put before a conversion's path, and
  /// before the steps of a message.
  package func inside(_ step: String) -> LuaError {
    if case .runtime(var fault) = self {
      fault.steps.insert(step, at: 0)
      return .runtime(fault)
    }
    guard case .conversion(let expected, let found, let whole) = self else { return self }
    let step = LuaText.cut(step, atMost: 80)
    // Of a long one, as a table that holds itself has it, the two ends.
    let path = whole.utf8.count > 80 ? "…" + whole.suffix(40) : whole
    let joined = path.isEmpty || path.hasPrefix("[") ? step + path : step + "." + path
    return .conversion(expected: expected, found: found, path: joined)
  }
}

extension LuaError: CustomStringConvertible {
  @usableFromInline package var description: String {
    switch self {
    case .syntax(let message, _): message
    case .runtime(let fault): fault.message
    case .outOfMemory(let limit): "not enough memory (the limit is \(limit >> 20) MB)"
    case .stringTooLong(let limit): "a string of more than \(limit >> 20) MB, which none may have"
    case .interrupted(.time): "stopped: its time was over"
    case .interrupted(.request): "stopped: interrupted"
    case .overwritten(let field, _):
      "`\(field)` was set, and other calls would see it; it is put back: use a local of your own"
    case .conversion(let expected, let found, let path):
      path.isEmpty
        ? "\(expected) expected, got \(found)" : "\(path): \(expected) expected, got \(found)"
    }
  }
}
