import StarlingLua
import StarlingModel

extension HostError {
  /// What happened in Lua, as the host reports it.
  ///
  /// - Parameters:
  ///   - subject: what was being done, when the error has no file and line of its own.
  ///   - plugin: the plugin at fault.
  init(_ error: LuaError, subject: String? = nil, plugin: String? = nil) {
    if let host = error.cause as? HostError, host.plugin == nil, plugin == nil {
      self = host
      traceback = traceback ?? error.traceback
      guard self.location == nil, let location = error.location else {
        if self.location == nil { self.subject = self.subject ?? subject }
        return
      }
      // The place in Lua comes first, as in every error of a script.
      self.location = location
      if let subject = self.subject { self.message = "\(subject): \(message)" }
      self.subject = nil
      return
    }
    let location = error.location
    self.init(
      error.hostKind, error.messageWithoutLocation,
      subject: location == nil ? subject : nil, plugin: plugin,
      location: location, traceback: error.traceback,
      cause: error.isLimitOfStrings ? nil : error.cause ?? error)
  }
}

extension HostError {
  /// The same, and where the call was when its time was over or its memory used up.
  init(_ error: LuaError, in state: LuaState, subject: String? = nil, plugin: String? = nil) {
    self.init(error, subject: subject, plugin: plugin)
    guard let place = state.stopPlace(error), let chunk = place.chunk, let line = place.line else {
      // It was left in the middle of Lua's own code, and nothing in it can be asked.
      if state.isLost { message += " in one long operation of Lua's own, whose line is not known" }
      return
    }
    location = SourceLocation(file: chunk, line: line)
    traceback = place.traceback
    self.subject = nil
  }
}

extension HostError {
  /// The same with a place, where it has none of its own.
  ///
  /// - Parameter function: the function of the plugin that was called.
  func placed(at place: SourceLocation?, in function: String?) -> HostError {
    guard location == nil, let place else { return self }
    var error = self
    error.location = place
    error.subject = nil
    let name = function.map { "function '\($0)'" } ?? "main chunk"
    error.traceback = traceback ?? "stack traceback:\n\t\(place): in \(name)"
    return error
  }
}

extension LuaError {
  /// Whether a limit was met that no option lifts, so that nobody is told of one.
  fileprivate var isLimitOfStrings: Bool {
    if case .stringTooLong = self { true } else { false }
  }

  fileprivate var hostKind: HostError.Kind {
    switch self {
    case .outOfMemory, .stringTooLong: .memory
    case .interrupted(.time): .time
    case .interrupted(.request): .canceled
    case .runtime(let fault):
      (fault.cause as? HostError)?.kind ?? (fault.cause == nil ? .script : .host)
    case .syntax, .conversion, .overwritten: .script
    }
  }

  /// The file and line that Lua gives, in the error itself or before its message.
  var location: SourceLocation? {
    if case .overwritten(_, let place) = self { return place }
    if case .runtime(let fault) = self, let chunk = fault.chunk, let line = fault.line {
      return SourceLocation(file: chunk, line: line)
    }
    return LuaError.splitLocation(description)?.location
  }

  fileprivate var traceback: String? {
    guard case .runtime(let fault) = self, !fault.traceback.isEmpty else { return nil }
    return fault.traceback
  }

  /// The message without `file:line: ` at its front, which `location` has. What only looks like that,
  /// such as a host with its port, or names another file, is part of the message.
  var messageWithoutLocation: String {
    if case .overwritten = self { return description }
    if case .runtime(let fault) = self, let chunk = fault.chunk, let line = fault.line {
      // Each coroutine.wrap that an error passes puts it there again (Lua 5.4, auxwrap).
      let place = "\(chunk):\(line): "
      var rest = description[...]
      while rest.hasPrefix(place) { rest = rest.dropFirst(place.count) }
      if rest.startIndex > description.startIndex { return String(rest) }
    }
    guard let (location, message) = LuaError.splitLocation(description) else { return description }
    guard case .runtime(let fault) = self, let chunk = fault.chunk else { return message }
    // Lua cuts a name after 59 bytes (LUA_IDSIZE).
    let isOwn = chunk.utf8.prefix(59).elementsEqual(location.file.utf8) || chunk == location.file
    return isOwn || location.file == LuaState.hostChunk ? message : description
  }

  /// Takes `file:line: message` apart (luaL_where writes it, Lua manual 5.4, 5.1).
  static func splitLocation(_ text: String) -> (location: SourceLocation, message: String)? {
    let bytes = Array(text.utf8)
    var index = 0
    while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
      var end = colon + 1
      var line = 0
      while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39, line < 100_000_000 {
        line = line * 10 + Int(bytes[end] - 0x30)
        end += 1
      }
      let isNumbered = end > colon + 1 && end < bytes.count && bytes[end] == UInt8(ascii: ":")
      if isNumbered, colon > 0 {
        let rest = bytes[(end + 1)...].drop { $0 == 0x20 }
        let file = String(decoding: bytes[..<colon], as: UTF8.self)
        return (SourceLocation(file: file, line: line), String(decoding: rest, as: UTF8.self))
      }
      index = colon + 1
    }
    return nil
  }
}
