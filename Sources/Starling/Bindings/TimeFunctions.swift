import StarlingLua
import StarlingModel

/// `time.*`: times as seconds since 1970 in UTC.
enum TimeFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "time.parse", in: .everywhere,
      [.optional("time", .union([.number, .string]), "RFC 822, RFC 3339, epoch s, ms or µs, ...")],
      returns: [ApiResult(type: .integer, isOptional: true, help: "seconds since 1970, UTC")],
      help:
        "Reads a time as publishers write it; nil when there is none in it. 12/04/2026 is the 12th of April."
    ) { _, call, results throws(LuaError) in
      if let time = try time(call) {
        results.push(time.secondsSinceEpoch)
      } else {
        results.pushNil()
      }
    },
    ApiFunction(
      "time.format", in: .everywhere,
      [
        .required("time", .number, "seconds since 1970, UTC"),
        .optional("format", .string, "as of os.date: `%Y-%m-%d`; RFC 3339 when left out"),
      ],
      returns: [ApiResult(type: .string, help: "the time as text, in UTC")],
      help: "Writes a time in UTC: `2026-11-30T08:05:00Z`, or as the format says."
    ) { _, call, results throws(LuaError) in
      guard let time = call[1].number.flatMap(seconds) else {
        throw call.argumentError(1, "no time: a number of seconds expected")
      }
      guard let format = try call.text(2) else {
        return results.push(time.description)
      }
      results.push(try TimeFormat.written(time, as: format, utc: true, for: call, argument: 2))
    },
  ]

  private static func time(_ call: borrowing LuaCall) throws(LuaError) -> Timestamp? {
    let value = call[1]
    switch value.type {
    case .integer: return value.integer.flatMap { Timestamp(epoch: $0) }
    case .number:
      return value.number.flatMap { Int64(exactly: $0.rounded(.down)) }
        .flatMap { Timestamp(epoch: $0) }
    default:
      let found = try unsafe call.withText(1) { text throws(LuaError) in
        unsafe Timestamp(parsing: text)
      }
      return found ?? nil
    }
  }

  static func seconds(_ number: Double) -> Timestamp? {
    Int64(exactly: number.rounded(.down)).map { Timestamp(secondsSinceEpoch: $0) }
  }
}
