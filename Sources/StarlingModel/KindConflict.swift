/// Why the kinds of an app or a plugin were refused: they contradict each other, those of another, or
/// the file's.
public struct KindConflict: Error, Hashable, Sendable {
  /// The newcomer, which alone is refused: a plugin's name, or `the app`.
  public var plugin: String
  public var kind: String
  /// The field that the two disagree on, where it is one field.
  public var field: String?
  /// Who declared it before; nil when the declaration is wrong by itself.
  public var other: String?
  public var reason: String
  /// The key that the newcomer wants, where that is what they disagree on.
  public var key: Kind.KeyRule?

  public init(
    plugin: String, kind: String, field: String? = nil, other: String? = nil, reason: String,
    key: Kind.KeyRule? = nil
  ) {
    self.plugin = plugin
    self.kind = kind
    self.field = field
    self.other = other
    self.reason = reason
    self.key = key
  }
}

extension KindConflict: CustomStringConvertible {
  /// One line: who, the kind and field, why, and who declared it before.
  public var description: String {
    var text = "\(plugin): kind \(kind)"
    if let field { text += ", field \(field)" }
    text += ": \(reason)"
    if let other { text += " (declared by \(other))" }
    return text
  }
}
