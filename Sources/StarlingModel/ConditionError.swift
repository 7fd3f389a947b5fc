/// Why a condition cannot be asked of a kind.
public enum ConditionError: Error, Hashable, Sendable {
  /// The kind has no such field; `nearest` is the right spelling that was probably meant.
  case unknownField(String, kind: String, nearest: String?)
  /// The word does not go with the field's type, or the operand's type not with the word.
  case wrongType(field: String, type: FieldType, word: String, expected: String)
  /// An operand that should be an amount, a number or a time, and cannot be read as one.
  case unreadable(field: String, word: String, operand: String, expected: String)
  /// A regular expression that does not parse; `offset` is the byte at fault, from 0.
  case badPattern(field: String, pattern: String, offset: Int, reason: String)
  /// A word with nothing to look for, which would hold always or never.
  case empty(field: String, word: String)
  /// More than `Matcher.depthLimit` conditions inside one another.
  case tooDeep

  /// The nearest right spelling of what was wrong.
  public var suggestion: String? {
    if case .unknownField(_, _, let nearest) = self { nearest } else { nil }
  }
}

extension ConditionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownField(let field, let kind, let nearest):
      "unknown field \"\(field)\" of kind \"\(kind)\""
        + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
    case .wrongType(let field, let type, let word, let expected):
      "field \"\(field)\" is \(type.rawValue): \(word) \(expected)"
    case .unreadable(let field, let word, let operand, let expected):
      "field \"\(field)\": \(word) needs \(expected), not \(operand)"
    case .badPattern(let field, let pattern, let offset, let reason):
      "field \"\(field)\": matches \(Value.text(pattern).ruleText): \(reason), at byte \(offset + 1)"
    case .empty(let field, let word):
      "field \"\(field)\": \(word) has an empty text or list, which would hold always or never"
        + (word == "is" ? "; say missing for an absent value" : "")
    case .tooDeep: "conditions lie deeper than \(Matcher.depthLimit) inside one another"
    }
  }
}
