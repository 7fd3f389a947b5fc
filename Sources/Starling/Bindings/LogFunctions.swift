import StarlingLua

/// `log.*`: what Lua code has to say about its work, for standard error.
enum LogFunctions {
  static let all: [ApiFunction] = [
    function("log.debug", .debug, "Logs a detail that only the author wants."),
    function("log.info", .info, "Logs what is worth knowing."),
    function("log.warn", .warn, "Logs what is wrong but does not stop the work."),
    function("log.error", .error, "Logs what went wrong."),
  ]

  /// Bytes of one line; the rest is cut.
  private static let longest = 8 << 10

  private static func function(
    _ name: String, _ level: LogLine.Level, _ help: String
  ) -> ApiFunction {
    ApiFunction(
      name, in: .everywhere, [.rest("values", .any, "shown as tostring shows them, with a space")],
      help: help
    ) { environment, call, _ throws(LuaError) in
      var message = ""
      for position in 1...max(1, call.count) where position <= call.count {
        if position > 1 { message += " " }
        message += try call.state.display(call[position])
        if message.utf8.count > longest { break }
      }
      if message.utf8.count > longest {
        message = String(decoding: message.utf8.prefix(longest), as: UTF8.self) + "..."
      }
      environment.log(LogLine(level: level, source: environment.name, message: message))
    }
  }
}
