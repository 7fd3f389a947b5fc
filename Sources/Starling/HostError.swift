package import StarlingFavorites
public import StarlingModel

/// Why something that the host was asked for could not be done.
///
/// A struct, so that kinds can be added; match on `kind`. The description is one line that says
/// what failed, where (the plugin's or script's file and line when Lua is at fault), and why.
public struct HostError: Error, Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable {
    /// Lua raised, or its text does not parse.
    case script
    /// The time that Lua was given is over.
    case time
    /// The memory that Lua was given is used up.
    case memory
    /// The host's own part failed: a file, the network, a limit.
    case host
    /// Lua asked for something that it may not do.
    case permission
    /// A plugin cannot be used: its API version, its kinds.
    case plugin
    /// The document is not a feed that can be read.
    case feed
    /// The database cannot be used.
    case database
    /// The user stopped it.
    case canceled
  }

  public var kind: Kind
  /// The name of the plugin at fault, if one is.
  public var plugin: String?
  /// What was being done or to what: a path, a plugin's function.
  public var subject: String?
  /// Why it failed and what to do next, in one line.
  public var message: String
  /// File and line in Lua, if Lua is at fault.
  public var location: SourceLocation?
  /// Lua's call stack, several lines.
  public var traceback: String?
  /// The error of the layer below.
  public var cause: (any Error)?
  /// What to do next, where the message ends with that and its cause does not say it.
  var ownRemedy: Remedy?

  public init(
    _ kind: Kind, _ message: String, subject: String? = nil, plugin: String? = nil,
    location: SourceLocation? = nil, traceback: String? = nil, cause: (any Error)? = nil
  ) {
    self.kind = kind
    self.plugin = plugin
    self.subject = subject
    self.message = message
    self.location = location
    self.traceback = traceback
    self.cause = cause
  }

  public var description: String {
    var parts: [String] = []
    if let subject { parts.append(subject) }
    if let location { parts.append(location.description) }
    parts.append(message)
    return parts.joined(separator: ": ")
  }
}

extension HostError {
  /// The end of the message that says what to do next.
  package var remedy: Remedy? {
    ownRemedy ?? (cause as? FavoritesError)?.remedy ?? (cause as? KindConflict)?.remedy
  }

  /// The same error, with what to do next at the end of its message.
  func with(_ remedy: Remedy) -> HostError {
    var error = self
    error.message += remedy.library
    error.ownRemedy = remedy
    return error
  }

  /// The message for a person at the command, who does what is next with other words.
  package var commandMessage: String { remedy?.inCommand(message) ?? message }

  /// The same of the whole line.
  package var commandDescription: String {
    var error = self
    error.message = commandMessage
    return error.description
  }
}
