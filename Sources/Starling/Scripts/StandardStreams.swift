import StarlingLua

/// `io.stdin`, `io.stdout` and `io.stderr`, and the iterators of `io.lines`, as one state has them.
final class StandardStreams {
  /// One of the three: the payload of an object.
  final class Stream {
    enum Role {
      case input
      case output
      case error
    }

    let role: Role

    init(_ role: Role) { self.role = role }
  }

  /// What `io.lines` gave: what to read at each step.
  final class LineReader {
    let formats: [ReadFormat]

    init(_ formats: [ReadFormat]) { self.formats = formats }
  }

  /// `io.stdout` itself.
  let output: LuaKeptObject
  private let streamType: LuaObjectType
  private let lineType: LuaObjectType

  /// Makes the three objects globals of a state that has `io.read`, `io.lines` and `io.write`; these
  /// are their methods too.
  init(_ state: LuaState, _ streams: ScriptStreams) throws(LuaError) {
    var methods: [(name: [UInt8], function: LuaFunction)] = []
    for name in ["read", "lines", "write", "flush"] {
      let function = try state.readGlobal("io." + name) { state.keepFunction($0) }
      if let function { methods.append((Array(name.utf8), function)) }
    }
    let streamBox = TypeBox()
    methods.append((Array("setvbuf".utf8), Self.setBuffering(state, streams, streamBox)))
    streamType = state.makeObjectType(
      "stream",
      index: { [methods] call, results in
        let method = methods.first { method in
          guard let name = unsafe call[2].bytes else { return false }
          return unsafe name.elementsEqual(method.name)
        }
        if let method { results.push(method.function) } else { results.pushNil() }
      })
    streamBox.type = streamType
    let box = TypeBox()
    lineType = state.makeObjectType(
      "lines",
      call: { [box] call, results throws(LuaError) in
        guard let type = box.type,
          let reader: LineReader = call.state.payload(of: call[1], type: type)
        else { throw call.argumentError(1, expected: "lines") }
        for format in reader.formats {
          guard try format.read(streams, call.state, &results) else { return }
        }
      })
    box.type = lineType
    output = state.keep(state.makeObject(streamType, Stream(.output)))
    let input = state.makeObject(streamType, Stream(.input))
    let error = state.makeObject(streamType, Stream(.error))
    try state.setGlobal("io.stdin") { $0.push(input) }
    try state.setGlobal("io.stdout") { [output] writer in writer.push(output) }
    try state.setGlobal("io.stderr") { $0.push(error) }
  }

  /// `setvbuf(mode)` as Lua has it (Lua manual 5.4, §6.8); a size is taken and has no effect. Only
  /// standard output keeps anything back.
  private static func setBuffering(
    _ state: LuaState, _ streams: ScriptStreams, _ box: TypeBox
  ) -> LuaFunction {
    state.makeHostFunction("setvbuf") { [weak streams, box] call, results throws(LuaError) in
      guard let mode = ScriptStreams.Buffering(rawValue: try call.text(2) ?? "") else {
        throw call.argumentError(2, "\"no\", \"full\" or \"line\" is needed")
      }
      guard let type = box.type, let stream: Stream = call.state.payload(of: call[1], type: type)
      else { throw call.argumentError(1, expected: "stream") }
      if stream.role == .output { streams?.buffering = mode }
      results.push(true)
    }
  }

  private final class TypeBox {
    var type: LuaObjectType?
  }

  /// The stream that a method was called on; nil when the first argument is none.
  func stream(_ call: borrowing LuaCall) -> Stream.Role? {
    guard call.count > 0, call[1].type == .object else { return nil }
    let stream: Stream? = call.state.payload(of: call[1], type: streamType)
    return stream?.role
  }

  func lines(_ state: LuaState, _ formats: [ReadFormat]) -> LuaObject {
    state.makeObject(lineType, LineReader(formats.isEmpty ? [.line(keepsEnd: false)] : formats))
  }
}
