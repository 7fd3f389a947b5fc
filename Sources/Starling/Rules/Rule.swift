public import StarlingModel

/// One rule of a rules file: what must hold of an entity, and what is then done.
public struct Rule: Sendable {
  public enum Action: Hashable, Sendable {
    case star
    case tag([String])
    /// Ends the run for this entity and means "not this one".
    case skip
    /// Ends the run for this entity; what was given before stays.
    case stop

    /// As the rules file writes it.
    public var text: String {
      switch self {
      case .star: "star"
      case .tag(let tags): "tag " + tags.map { "\"\($0)\"" }.joined(separator: ", ")
      case .skip: "skip"
      case .stop: "stop"
      }
    }
  }

  public var name: String
  /// The kinds that it is for, by name; nil for each kind that has the fields that it names.
  public var kinds: [String]?
  public var condition: Condition
  /// The fields that the condition names, without duplicates, in the order of their names.
  public var fields: [String]
  public var actions: [Action]
  public var location: SourceLocation
  /// The first eight hexadecimal digits of a hash of what the rule says: the same text is the same
  /// version, whatever the spaces and comments around it.
  public var version: String
  /// Whether it also asks a Lua function (`when`).
  public var hasFunction: Bool
}

/// FNV-1a (RFC draft-eastlake-fnv): quick and stable, and no secret depends on it.
struct TextHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xFF)
  }

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
    add(0xFF)
  }

  private mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// The first eight hexadecimal digits.
  var digits: String { String(allDigits.prefix(8)) }

  /// All sixteen hexadecimal digits.
  var allDigits: String {
    let text = String(state, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}
