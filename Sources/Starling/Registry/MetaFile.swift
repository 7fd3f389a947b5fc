package import StarlingModel

/// The annotations for editors (LuaCATS), made from the registry and the declared kinds.
package enum MetaFile {
  /// The text of `starling.meta.lua`.
  ///
  /// - Parameter kinds: the kinds that get a class of their own.
  package static func text(kinds: [Kind], _ surface: ApiSurface = .standard) -> String {
    var lines = [
      "---@meta", "",
      "-- The Lua surface of Starling for editors. Made by the program: do not edit.",
      "error(\"starling.meta.lua is for editors and cannot be required\")", "",
    ]
    for shape in surface.shapes { lines += annotation(of: shape) }
    for kind in kinds { lines += annotation(of: kind) }
    for group in ApiGroup.all(of: surface) {
      if let table = group.table { lines += ["---@class \(table)lib", "\(table) = {}", ""] }
      for value in group.values { lines += annotation(of: value) }
      for function in group.functions { lines += annotation(of: function) }
    }
    return lines.joined(separator: "\n").trimmingEnd() + "\n"
  }

  private static func annotation(of shape: ApiShape) -> [String] {
    ["--- \(shape.help)", "---@class \(shape.name)"]
      + shape.fields.map { field in
        let mark = field.isOptional ? "?" : ""
        return "---@field \(field.name)\(mark) \(field.type.annotation) \(field.help)"
      } + [""]
  }

  private static func annotation(of kind: Kind) -> [String] {
    ["---@class starling.kind.\(kind.name): starling.Entity"]
      + kind.fields.map { field in
        "---@field \(field.name)? \(annotation(of: field.type))"
      } + [""]
  }

  private static func annotation(of type: FieldType) -> String {
    switch type {
    case .text, .url: "string"
    case .integer: "integer"
    case .real: "number"
    case .boolean: "boolean"
    case .time: "integer seconds since 1970, UTC"
    case .money: "starling.Money"
    case .list: "string[]"
    }
  }

  private static func annotation(of value: ApiValue) -> [String] {
    [
      "--- \(value.help)", "--- In: \(value.contexts.names).",
      "---@type \(value.type.annotation)", "\(value.name) = nil", "",
    ]
  }

  private static func annotation(of function: ApiFunction) -> [String] {
    var lines = ["--- \(function.help)", "--- In: \(function.contexts.names)."]
    if let permission = function.permission { lines.append("--- Needs \(permission).") }
    for parameter in function.parameters {
      let name = parameter.isVariadic ? "..." : parameter.name
      let mark = parameter.isOptional && !parameter.isVariadic ? "?" : ""
      lines.append("---@param \(name)\(mark) \(parameter.type.annotation) \(parameter.help)")
    }
    for result in function.results {
      let mark = result.isOptional ? "?" : ""
      lines.append("---@return \(result.type.annotation)\(mark) # \(result.help)")
    }
    let names = function.parameters.map { $0.isVariadic ? "..." : $0.name }
    return lines + ["function \(function.name)(\(names.joined(separator: ", "))) end", ""]
  }
}

/// The functions and values of one table of Lua, or those that are globals themselves.
struct ApiGroup {
  /// Nil for the globals.
  var table: String?
  var functions: [ApiFunction] = []
  var values: [ApiValue] = []

  /// The globals first, then the tables in the order in which the registry has them.
  static func all(of surface: ApiSurface) -> [ApiGroup] {
    var groups = [ApiGroup(table: nil)]
    func place(of name: String) -> Int {
      let table = ApiGroup.table(of: name)
      if let place = groups.firstIndex(where: { $0.table == table }) { return place }
      groups.append(ApiGroup(table: table))
      return groups.count - 1
    }
    for function in surface.functions {
      groups[place(of: function.name)].functions.append(function)
    }
    for value in surface.values { groups[place(of: value.name)].values.append(value) }
    return groups
  }

  private static func table(of name: String) -> String? {
    name.firstIndex(of: ".").map { String(name[..<$0]) }
  }
}

extension ApiContexts {
  /// As the reference names them.
  var names: String {
    if self == .everywhere { return "plugins, rules, scripts" }
    let named: [(ApiContexts, String)] = [
      (.plugin, "plugins"), (.rules, "rules"), (.script, "scripts"), (.console, "the console"),
    ]
    return named.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

extension String {
  /// Without blank lines at the end.
  fileprivate func trimmingEnd() -> String {
    var text = self
    while text.last == "\n" { text.removeLast() }
    return text
  }
}
