/// The type of a field; its raw value is the word that Lua, SQL and help use.
public enum FieldType: String, CaseIterable, Sendable {
  case text
  case integer
  case real
  case boolean
  case url
  case time
  case money
  case list
}

/// One typed field of a kind.
public struct Field: Hashable, Sendable {
  /// Matches `[a-z][a-z0-9_]*` and is none of `Field.reservedNames`.
  public var name: String
  public var type: FieldType

  public init(_ name: String, _ type: FieldType) {
    self.name = name
    self.type = type
  }

  /// Names that mean something else wherever fields are named.
  public static let reservedNames: Set<String> = [
    "kind", "key", "source", "tags", "note", "causes", "starred_at", "where", "when", "star",
    "rowid",
  ]

  /// Characters that a name may have.
  package static let longestName = 64

  /// Whether `name` may name a field or a kind: `[a-z][a-z0-9_]*`, at most 64 characters.
  public static func isWellFormed(_ name: String) -> Bool {
    guard name.utf8.count <= longestName else { return false }
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    return name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
  }
}
