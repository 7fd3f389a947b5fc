import StarlingLua

/// A value of the Lua surface that is no function: `json.null`, the words `missing` and `star`.
struct ApiValue: Sendable {
  var name: String
  var contexts: ApiContexts
  var type: ApiType
  /// One line.
  var help: String
  /// Pushes the value.
  var push: @Sendable (inout LuaWriter) throws(LuaError) -> Void

  init(
    _ name: String, in contexts: ApiContexts, type: ApiType, help: String,
    push: @escaping @Sendable (inout LuaWriter) throws(LuaError) -> Void
  ) {
    self.name = name
    self.contexts = contexts
    self.type = type
    self.help = help
    self.push = push
  }
}
