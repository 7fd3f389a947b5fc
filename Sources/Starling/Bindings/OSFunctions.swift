import StarlingLua
import StarlingModel

/// `os.*`: time and the end of the script, nothing else of the system.
enum OSFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "os.time", in: .script,
      [.optional("parts", .table, "year, month, day, and hour, min, sec in local time")],
      returns: [ApiResult(type: .integer, help: "seconds since 1970, UTC")],
      help: "The present time, or that of a date in parts, which are put in order."
    ) { environment, call, results throws(LuaError) in
      guard !call[1].isNil else { return results.push(environment.clock().secondsSinceEpoch) }
      var parts = try parts(of: call[1])
      guard let time = TimeFormat.time(&parts) else {
        throw .message("time result cannot be represented in this installation")
      }
      results.push(time.secondsSinceEpoch)
    },
    ApiFunction(
      "os.date", in: .script,
      [
        .optional("format", .string, "as of strftime; `!` before it for UTC; `*t` for a table"),
        .optional("time", .number, "seconds since 1970; now when left out"),
      ],
      returns: [ApiResult(type: .union([.string, .table]), help: "`%c` when no format is given")],
      help: "Writes a time in the local zone, or in UTC: `os.date(\"!%Y-%m-%d\")`."
    ) { environment, call, results throws(LuaError) in
      try date(environment, call, &results)
    },
    ApiFunction(
      "os.clock", in: .script, returns: [ApiResult(type: .number, help: "seconds")],
      help: "The processor time that the program has used."
    ) { _, _, results in
      results.push(TimeFormat.processorTime())
    },
    ApiFunction(
      "os.difftime", in: .script,
      [.required("later", .number, "seconds"), .required("earlier", .number, "seconds")],
      returns: [ApiResult(type: .number, help: "seconds")],
      help: "The seconds from one time to another."
    ) { _, call, results in
      results.push((call[1].number ?? 0) - (call[2].number ?? 0))
    },
    ApiFunction(
      "os.exit", in: .script,
      [.optional("status", .union([.integer, .boolean]), "0 to 255; true is 0, false 1")],
      help:
        "Ends the script, with status 0 or the one given; nothing after it runs. A listener cannot."
    ) { environment, call, _ throws(LuaError) in
      let script = try environment.requireScript()
      let given = call[1].boolean.map { $0 ? 0 : 1 } ?? call[1].integer ?? 0
      guard let status = UInt8(exactly: given) else {
        throw call.argumentError(1, "a status is from 0 to 255")
      }
      if script.isTelling { throw .message("os.exit cannot be called in a listener") }
      throw script.exit(Int32(status), call.state)
    },
    ApiFunction(
      "os.getenv", in: .script, [.required("name", .string, "a variable's name")],
      returns: [ApiResult(type: .string, isOptional: true, help: "its value")],
      help: "The same as env.get, under the name that Lua has for it.", permission: "--allow-env"
    ) { environment, call, results throws(LuaError) in
      try PermittedFunctions.environmentVariable(environment, call, &results)
    },
  ]

  private static func date(
    _ environment: ApiEnvironment, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    var format = try call.text(1) ?? "%c"
    let isUTC = format.hasPrefix("!")
    if isUTC { format.removeFirst() }
    var time = environment.clock()
    if !call[2].isNil {
      guard let given = call[2].number.flatMap(TimeFunctions.seconds) else {
        throw call.argumentError(2, "number has no integer representation")
      }
      time = given
    }
    guard format.hasPrefix("*t") else {
      let text = try TimeFormat.written(time, as: format, utc: isUTC, for: call, argument: 1)
      return results.push(text)
    }
    guard let parts = TimeFormat.parts(time, utc: isUTC) else {
      throw .message("date result cannot be represented in this installation")
    }
    try push(parts, &results)
  }

  private static func push(_ parts: TimeParts, _ results: inout LuaWriter) throws(LuaError) {
    try results.table(fields: 9) { table throws(LuaError) in
      let numbers = [
        ("year", parts.year), ("month", parts.month), ("day", parts.day), ("hour", parts.hour),
        ("min", parts.minute), ("sec", parts.second), ("wday", parts.weekday),
        ("yday", parts.yearday),
      ]
      for (name, number) in numbers { try table.set(named: name) { $0.push(number) } }
      if let isDaylight = parts.isDaylight {
        try table.set(named: "isdst") { $0.push(isDaylight) }
      }
    }
  }

  private static func parts(of table: LuaView) throws(LuaError) -> TimeParts {
    func field(_ name: String, default missing: Int64?) throws(LuaError) -> Int64 {
      try table.field(named: name) { value throws(LuaError) in
        if value.isNil {
          if let missing { return missing }
          throw .message("field '\(name)' missing in date table")
        }
        guard let number = value.integer else {
          throw .message("field '\(name)' is not an integer")
        }
        return number
      }
    }
    guard table.type == .table else { throw .message("a date table expected") }
    var parts = TimeParts(
      year: try field("year", default: nil), month: try field("month", default: nil),
      day: try field("day", default: nil))
    parts.hour = try field("hour", default: 12)
    parts.minute = try field("min", default: 0)
    parts.second = try field("sec", default: 0)
    parts.isDaylight = try table.field(named: "isdst") { $0.isNil ? nil : $0.isTrue }
    return parts
  }
}
