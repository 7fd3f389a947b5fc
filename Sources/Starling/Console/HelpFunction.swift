import StarlingLua

/// `help`: what the console says of its own functions, kinds and words.
enum HelpFunction {
  static let all: [ApiFunction] = [
    ApiFunction(
      "help", in: .console,
      [.optional("what", .any, "a function, a word, a table of functions, or a name as text")],
      help: "Tells what a function, a kind or a word is for; without a value, how to begin."
    ) { environment, call, _ throws(LuaError) in
      let script = try environment.requireScript()
      guard let help = script.help else { return }
      if !script.streams.write(help(call) + "\n") { throw script.exit(0, call.state) }
    }
  ]
}
