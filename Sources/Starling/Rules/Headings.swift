import StarlingLua

/// Definitions of the form `word "name" { ... }`: the word gives something to call with the table.
final class Headings {
  /// A word with its name, until and after its table comes.
  final class Heading {
    let word: String
    let name: String
    /// Where the word stands.
    let line: Int
    fileprivate(set) var isDefined = false
    fileprivate let define: (Heading, LuaView, LuaState) -> Void

    fileprivate init(
      word: String, name: String, line: Int,
      define: @escaping (Heading, LuaView, LuaState) -> Void
    ) {
      self.word = word
      self.name = name
      self.line = line
      self.define = define
    }
  }

  private var type: LuaObjectType?
  private var begun: [Heading] = []

  /// The headings that no table followed.
  var undefined: [Heading] { begun.filter { !$0.isDefined } }

  func install(into state: LuaState) {
    type = state.makeObjectType(
      "definition",
      call: { [weak self] call, _ throws(LuaError) in
        guard let type = self?.type,
          let heading = call.state.payload(of: call[1], type: type, as: Heading.self)
        else { throw .message("definitions are made while their file is read") }
        guard call[2].type == .table else {
          throw .message(
            "\(heading.word) \"\(heading.name)\" takes a table, { ... }, not a \(call[2].type.name)"
          )
        }
        heading.isDefined = true
        heading.define(heading, call[2], call.state)
      })
  }

  /// Begins the definition that the running Lua code names.
  func begin(
    _ word: String, _ name: String, _ state: LuaState, _ results: inout LuaWriter,
    define: @escaping (Heading, LuaView, LuaState) -> Void
  ) throws(LuaError) {
    guard let type else { throw .message("'\(word)' has no place here") }
    let heading = Heading(
      word: word, name: name, line: state.callerLine ?? 1, define: define)
    begun.append(heading)
    results.push(state.makeObject(type, heading))
  }
}
