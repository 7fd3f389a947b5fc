/// Something in a plugin's text that is wrong, or will be when it runs.
public struct PluginFinding: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// The plugin cannot be used.
    case refused
    /// A first line that should be there.
    case header
    /// A global that is not there, or one that is assigned.
    case global
    /// A field that a table of the API, a feed, a plugin or a kind does not have.
    case field
    /// A kind that is not declared, or never made.
    case kind
    /// A module that is not there.
    case module
  }

  public var kind: Kind
  public var file: String
  /// From 1; nil where the whole file is meant.
  public var line: Int?
  public var message: String

  /// `file:line: message`.
  public var description: String {
    "\(file):\(line.map { "\($0):" } ?? "") \(message)"
  }
}

/// What was found in one plugin.
public struct PluginCheckReport: Sendable {
  public var plugin: String
  public var path: String
  /// In the order of files and lines.
  public var findings: [PluginFinding]

  /// Whether the plugin can be used at all.
  public var isRefused: Bool { findings.contains { $0.kind == .refused } }
}

extension PluginFinding: CustomStringConvertible {}
