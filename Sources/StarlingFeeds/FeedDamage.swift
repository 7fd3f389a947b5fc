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
    case tooManyNames = "more names of elements than 50000, others left out"
    case refusedMarkup = "markup that the parser refuses, lost from there on"
    case oversized = "a text beyond the limit of one item, shortened"
    case entityLimit = "entities that grow too much, left out"
    case badDates = "dates that cannot be read, left out"
    case unknownZones = "times in zones that are not known, taken as UTC"
    case badJSON = "JSON that is not well-formed, repaired"
  }

  package var kind: Kind
  /// The byte of the input at which it was first met; for a cut, the length of the input.
  package var offset: Int
  /// The item in which it was first met, from 1, where that tells more than a byte; 0 is what the
  /// feed says about itself.
  package var item: Int?
  /// How many times it was met.
  package var count: Int
  /// The first text at fault, or empty.
  package var detail: String

  package init(
    _ kind: Kind, offset: Int, count: Int = 1, detail: String = "", item: Int? = nil
  ) {
    self.kind = kind
    self.offset = offset
    self.item = item
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
    return "has \(kind.rawValue)\(quoted), first \(place)\(times)"
  }

  private var place: String {
    guard let item else { return "at byte \(offset)" }
    return item > 0 ? "in item \(item)" : "in its header"
  }
}

/// The damages of one document, one of each kind.
struct DamageLog {
  private(set) var damages: [FeedDamage] = []

  mutating func note(
    _ kind: FeedDamage.Kind, at offset: Int, count: Int = 1, detail: String = "", item: Int? = nil
  ) {
    if let index = damages.firstIndex(where: { $0.kind == kind }) {
      damages[index].count += count
    } else {
      damages.append(
        FeedDamage(kind, offset: offset, count: count, detail: detail, item: item))
    }
  }

  /// Changes the places of the damages from an index on.
  mutating func relocate(from index: Int, _ place: (Int) -> Int) {
    for index in index..<max(damages.count, index) {
      damages[index].offset = place(damages[index].offset)
    }
  }

  mutating func merge(_ other: DamageLog) {
    for damage in other.damages {
      note(
        damage.kind, at: damage.offset, count: damage.count, detail: damage.detail,
        item: damage.item)
    }
  }
}
