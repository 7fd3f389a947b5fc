/// Something wrong with a document that did not stop it from being read.
package struct FeedDamage: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The document ends before its root element or outermost value does.
    case cut = "is cut off"
    case replacedBytes = "bytes that its charset does not have, replaced by U+FFFD"
    case wrongCharset = "a charset declared that it is not written in"
    case controlCharacters = "control characters that XML forbids, left out"
    case bareAmpersands = "a bare & or an unknown entity, taken as text"
    case bareAngles = "a < that begins no tag, taken as text"
    case badAttributes = "attributes that are not well-formed, repaired"
    case strayEndTags = "end tags without a start, left out"
    case missingEndTags = "missing end tags, added"
    case leadingText = "text before its root element, left out"
    case trailingText = "text after its root element, left out"
    case nestedTooDeep = "elements nested too deep, flattened"
    case oversized = "a text beyond the limit of one item, shortened"
    case entityLimit = "entities that grow too much, left out"
    case badDates = "dates that cannot be read, left out"
    case badJSON = "JSON that is not well-formed, repaired"
  }

  package var kind: Kind
  /// The byte of the input at which it was first met; for a cut, the length of the input. For
  /// input that had to be converted to UTF-8, other places than a cut's are those of the result.
  package var offset: Int
  /// How many times it was met.
  package var count: Int
  /// The first text at fault, or empty.
  package var detail: String

  package init(_ kind: Kind, offset: Int, count: Int = 1, detail: String = "") {
    self.kind = kind
    self.offset = offset
    self.count = count
    self.detail = detail
  }
}

extension FeedDamage: CustomStringConvertible {
  /// One line, such as `is cut off at byte 1234`.
  package var description: String {
    let quoted = detail.isEmpty ? "" : " (\(detail))"
    if kind == .cut { return "\(kind.rawValue) at byte \(offset)\(quoted)" }
    let times = count == 1 ? "" : ", \(count) times"
    return "has \(kind.rawValue)\(quoted), first at byte \(offset)\(times)"
  }
}

/// The damages of one document, one of each kind.
struct DamageLog {
  private(set) var damages: [FeedDamage] = []

  mutating func note(_ kind: FeedDamage.Kind, at offset: Int, count: Int = 1, detail: String = "") {
    if let index = damages.firstIndex(where: { $0.kind == kind }) {
      damages[index].count += count
    } else {
      damages.append(FeedDamage(kind, offset: offset, count: count, detail: detail))
    }
  }

  mutating func merge(_ other: DamageLog) {
    for damage in other.damages {
      note(damage.kind, at: damage.offset, count: damage.count, detail: damage.detail)
    }
  }
}
