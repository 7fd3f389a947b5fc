/// What one plugin, or an app, says of one kind.
///
/// A kind that others declare too may be named alone, or with fields and indexes to add.
public struct KindDeclaration: Hashable, Sendable {
  public var name: String
  /// What makes the key; nil leaves it to whoever else declares the kind.
  public var key: Kind.KeyRule?
  /// In the order of declaration.
  public var fields: [Field]
  /// Names of fields, of this declaration or of another of the same kind.
  public var indexes: [String]

  public init(
    _ name: String, key: Kind.KeyRule? = nil, fields: [Field] = [], indexes: [String] = []
  ) {
    self.name = name
    self.key = key
    self.fields = fields
    self.indexes = indexes
  }

  /// A kind that somebody else declares: `M.kinds = { "post" }`.
  public init(sharing name: String) {
    self.init(name)
  }

  public init(_ kind: Kind) {
    self.init(kind.name, key: kind.key, fields: kind.fields, indexes: kind.indexes)
  }
}
