import StarlingLua

extension LuaState {
  /// Runs a chunk and gives the text that it returns, or the error's.
  func run(_ source: String) -> String {
    do {
      return try call(try load(source, name: "case"), budget: .seconds(20)) {
        results throws(LuaError) in
        if let bytes = unsafe results[1].bytes { return String(decoding: bytes, as: UTF8.self) }
        return "(no text)"
      }
    } catch {
      return error.description
    }
  }
}
