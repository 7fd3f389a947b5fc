import StarlingFeeds
import StarlingLua
import StarlingModel

/// `json.*`: strict JSON (RFC 8259).
enum JSONFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "json.decode", in: .everywhere,
      [.required("text", .string, "one JSON text in UTF-8")],
      returns: [ApiResult(type: .any, help: "null is json.null; big integers are text")],
      help: "Reads JSON; an error says what is wrong and at which byte."
    ) { _, call, results throws(LuaError) in
      _ = try unsafe call.withText(1) { text throws(LuaError) in
        try unsafe decode(text, call, &results)
      }
    },
    ApiFunction(
      "json.encode", in: .everywhere,
      [.required("value", .any, "anything but functions; [] stays a list, {} an object")],
      returns: [ApiResult(type: .string, help: "JSON in UTF-8, members sorted by name")],
      help: "Writes JSON; refuses cycles, NaN, infinities and text that is not UTF-8."
    ) { _, call, results throws(LuaError) in
      var encoder = JSONEncoder(call.state)
      do throws(LuaError) {
        try encoder.write(call[1])
        try encoder.finish()
      } catch {
        if case .conversion = error { throw call.argumentError(1, error.description) }
        throw error
      }
      results.push(encoder.bytes)
    },
  ]

  static let values: [ApiValue] = [
    ApiValue(
      "json.null", in: .everywhere, type: .any,
      help: "JSON's null, which nil cannot be: a table has no nil."
    ) { $0.pushNull() }
  ]

  /// Bytes that a document takes for each byte of its text beside it, at most.
  static let bytesHeld = 2

  /// What a document can be.
  static let longestFile = 256 << 20

  /// Pushes the value of a file that was read, whose bytes count as long as it takes.
  static func push(
    file bytes: [UInt8], _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    let state = call.state
    state.charge(bytes: bytes.count)
    defer { state.discharge(bytes: bytes.count) }
    // For the length of the call, the array's own memory: the document lends it.
    let failure = unsafe bytes.withUnsafeBytes { text -> LuaError? in
      do throws(LuaError) {
        try unsafe decode(text, call, &results)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private static func decode(
    _ text: UnsafeRawBufferPointer, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    let state = call.state
    // The most that it can be, so that memory is asked for before it is taken; then what it is.
    var held = text.count * JSONFunctions.bytesHeld
    state.charge(bytes: held)
    defer { state.discharge(bytes: held) }
    try state.checkBudget()
    let document: JSONDocument
    do {
      document = try unsafe JSONDocument(borrowing: text)
    } catch {
      throw call.argumentError(1, error.description)
    }
    let spared = held - document.tapeBytes
    state.discharge(bytes: spared)
    held -= spared
    try results.push(document, document.root, nulls: true)
  }
}
