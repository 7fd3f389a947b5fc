/// What a script has in place of the functions of Lua's own library that reach the machine.
extension HostError {
  /// By the name of the field that was called, and was nil.
  private static let advice: [String: (name: String, instead: String)] = [
    "open": ("io.open", files), "input": ("io.input", files), "output": ("io.output", files),
    "tmpfile": ("io.tmpfile", files), "tmpname": ("os.tmpname", files),
    "remove": ("os.remove", files), "rename": ("os.rename", files),
    "popen": ("io.popen", programs), "execute": ("os.execute", programs),
    "dofile": ("dofile", modules), "loadfile": ("loadfile", modules),
  ]

  private static let files =
    "fs.read and fs.list read what --allow-read=PATH allows, fs.write what --allow-write=PATH does"
  private static let programs = "process.run runs what --allow-run=PROGRAM allows"
  private static let modules = "require(NAME) runs a module beside the script"

  /// The error of a script with what to do next, where it called what scripts do not have.
  var advised: HostError {
    guard kind == .script,
      let name = HostError.name(in: message, after: "attempt to call a nil value (field '")
        ?? HostError.name(in: message, after: "undefined global '"),
      let advice = HostError.advice[name]
    else { return self }
    var error = self
    error.message += "; Lua's \(advice.name) is not here: \(advice.instead)"
    return error
  }

  private static func name(in message: String, after beginning: String) -> String? {
    guard message.hasPrefix(beginning) else { return nil }
    return String(message.dropFirst(beginning.count).prefix { $0 != "'" })
  }
}
