import StarlingLua
import StarlingModel

/// The reference of the Lua surface for people, made from the registry.
package enum ApiReference {
  /// The text of `API.md`.
  package static var markdown: String { markdown(.standard) }

  package static func markdown(_ surface: ApiSurface) -> String {
    var lines = [
      "# The Lua surface", "",
      "Made by the program from its registry of functions: do not edit.", "",
      "Plugins have the functions marked so and Lua's safe library, rules and the configuration",
      "theirs, scripts and the console all that is marked `scripts`. Bad arguments are errors that",
      "say which, what was expected and what came.", "",
    ]
    for group in ApiGroup.all(of: surface) {
      lines += ["## \(group.table ?? "Globals")", ""]
      for value in group.values {
        lines += ["### `\(value.name)`", "", "\(value.help) In: \(value.contexts.names).", ""]
      }
      for function in group.functions { lines += section(of: function) }
    }
    lines += ["## Tables", ""]
    for shape in surface.shapes { lines += section(of: shape) }
    lines += lengths + differences
    return lines.joined(separator: "\n") + "\n"
  }

  /// What has a limit of its own, so that favorites can be read back in a script's memory.
  private static var lengths: [String] {
    [
      "## How long things may be", "",
      "What is longer is an error that says so, and nothing is changed.", "",
      "- An entity: \(EntityReader.longest >> 20) MB of text in all, and an eighth of what Lua may use.",
      "- A key: \(Longest.key >> 10) KB.",
      "- A note: \(Longest.note >> 10) KB.",
      "- A tag: \(Longest.tag) bytes; at most \(Longest.tagsAtOnce) are given by one call or one rule.",
      "- The name of a rule: \(Longest.name) bytes.",
      "- What a rule saw, in `evidence`: the first \(Evidence.longest) bytes are kept.", "",
      "What a function reads for a script, such as a page of the history, counts as the script's",
      "memory until the function returns.", "",
    ]
  }

  /// Where Lua's own library is not quite Lua's.
  private static var differences: [String] {
    [
      "## Where the library differs from Lua's", "",
      "Everything else is as in Lua 5.4, errors and their texts too; a fuzzer compares.", "",
    ] + LuaDifference.all.map { "- \($0.what) Why: \($0.why)" }
  }

  private static func section(of function: ApiFunction) -> [String] {
    var lines = ["### `\(function.signature)`", ""]
    let permission = function.permission.map { " Needs `\($0)`." } ?? ""
    lines += ["\(function.help) In: \(function.contexts.names).\(permission)", ""]
    for parameter in function.parameters {
      let mark = parameter.isOptional && !parameter.isVariadic ? ", optional" : ""
      let name = parameter.isVariadic ? parameter.name + "..." : parameter.name
      lines.append("- `\(name)` (\(parameter.type.annotation)\(mark)): \(parameter.help)")
    }
    for result in function.results {
      let mark = result.isOptional ? " or nil" : ""
      lines.append("- gives \(result.type.annotation)\(mark): \(result.help)")
    }
    if !function.parameters.isEmpty || !function.results.isEmpty { lines.append("") }
    return lines
  }

  private static func section(of shape: ApiShape) -> [String] {
    var lines = ["### `\(shape.name)`", "", shape.help, ""]
    for field in shape.fields {
      let mark = field.isOptional ? ", optional" : ""
      lines.append("- `\(field.name)` (\(field.type.annotation)\(mark)): \(field.help)")
    }
    if !shape.fields.isEmpty { lines.append("") }
    return lines
  }
}

/// What `help(name)` says in the console.
package enum ApiHelp {
  /// The names of all functions and values that scripts have.
  package static func names(in surface: ApiSurface) -> [String] {
    surface.functions.filter { $0.contexts.contains(.script) }.map(\.name)
      + surface.values.filter { $0.contexts.contains(.script) }.map(\.name)
  }

  /// The help of a function, a value or a shape; nil when there is none by this name.
  package static func text(_ name: String, in surface: ApiSurface = .standard) -> String? {
    if let function = surface.functions.first(where: { $0.name == name }) {
      return text(of: function)
    }
    if let value = surface.values.first(where: { $0.name == name }) {
      return "\(value.name): \(value.type.annotation)\n  \(value.help)"
    }
    return surface.shapes.first { $0.name == name || $0.name == "starling." + name }
      .map { shape in
        let fields = shape.fields.map { field in
          "  \(field.name)\(field.isOptional ? "?" : ""): \(field.type.annotation)  \(field.help)"
        }
        return (["\(shape.name): \(shape.help)"] + fields).joined(separator: "\n")
      }
  }

  private static func text(of function: ApiFunction) -> String {
    var lines = [function.signature, "  " + function.help]
    if let permission = function.permission { lines.append("  needs \(permission)") }
    for parameter in function.parameters {
      lines.append("  \(parameter.name): \(parameter.type.annotation)  \(parameter.help)")
    }
    for result in function.results {
      let mark = result.isOptional ? "?" : ""
      lines.append("  -> \(result.type.annotation)\(mark)  \(result.help)")
    }
    return lines.joined(separator: "\n")
  }
}
