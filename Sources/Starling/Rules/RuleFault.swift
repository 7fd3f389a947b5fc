import StarlingFavorites
public import StarlingModel

/// One thing that is wrong in a file of rules or in the configuration.
public struct RuleFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// File and line; nil when the file itself cannot be read.
  public var location: SourceLocation?
  /// The rule's name; nil for what is outside of rules.
  public var rule: String?
  /// What is wrong, with the nearest right spelling where there is one.
  public var message: String
  /// `script`, or `time` or `memory` for what was stopped.
  public var kind: HostError.Kind
  /// Lua's call stack, several lines, where the code of the file raised an error.
  public var traceback: String?
  /// What to do next, where the message ends with that.
  private var remedy: Remedy?

  public init(
    _ message: String, rule: String? = nil, location: SourceLocation? = nil,
    kind: HostError.Kind = .script, traceback: String? = nil
  ) {
    self.location = location
    self.rule = rule
    self.message = message
    self.kind = kind
    self.traceback = traceback
  }

  /// What kept the host from reading rules.
  init(_ error: HostError) {
    self.init(error.description)
    remedy = error.remedy
  }

  /// The fault in the words of the command.
  package var commandDescription: String {
    remedy?.inCommand(description) ?? description
  }

  /// `rules.lua:3: rule "Cars": unknown field "prise" of kind "car_type"; did you mean "price"?`
  public var description: String {
    let place = location.map { "\($0): " } ?? ""
    let name = rule.map { "rule \"\($0)\": " } ?? ""
    return place + name + message
  }
}
