/// How one entity that a fixture gave differs from what it must give.
public struct FixtureDifference: Sendable, Equatable {
  public enum Change: String, Sendable {
    /// Expected, and not given.
    case missing
    /// Given, and not expected.
    case unexpected
    /// Given with other values, or under another key.
    case changed
    /// Given in another place among the others.
    case moved
  }

  /// A value on both sides as compact JSON; nil where it is absent.
  public struct Field: Sendable, Equatable {
    public var name: String
    public var expected: String?
    public var got: String?
  }

  public var change: Change
  public var kind: String
  /// The key that is expected; of an unexpected entity its own.
  public var key: String
  /// What differs; of a missing or unexpected entity all that it has.
  public var fields: [Field]

  init(_ change: Change, _ entity: FixtureEntity, fields: [Field] = []) {
    self.change = change
    kind = entity.kind
    key = entity.key
    self.fields = fields
  }

  /// Compares entity by entity. Those of one kind and key belong together, wherever they stand; of
  /// what then is left, those that have most of their values in common.
  static func all(expected: [FixtureEntity], got: [FixtureEntity]) -> [FixtureDifference] {
    if expected == got { return [] }
    var pairs: [Int?] = Array(repeating: nil, count: expected.count)
    var taken = Set<Int>()
    pair(expected, got, &pairs, &taken) { $0.isSameEntity(as: $1) }
    let isSame = pairs
    pair(expected, got, &pairs, &taken) { isAlike($0, $1) }
    var result: [FixtureDifference] = []
    for (place, entity) in expected.enumerated() {
      guard let other = pairs[place].map({ got[$0] }) else {
        result.append(
          FixtureDifference(
            .missing, entity,
            fields: entity.fields.map { Field(name: $0.name, expected: $0.json, got: nil) }))
        continue
      }
      var fields = entity.differences(from: other)
      if isSame[place] == nil {
        fields.insert(Field(name: "key", expected: entity.key, got: other.key), at: 0)
      }
      if !fields.isEmpty {
        result.append(FixtureDifference(.changed, entity, fields: fields))
      }
    }
    for (place, entity) in got.enumerated() where !taken.contains(place) {
      result.append(
        FixtureDifference(
          .unexpected, entity,
          fields: entity.fields.map { Field(name: $0.name, expected: nil, got: $0.json) }))
    }
    return result.isEmpty ? moves(expected, pairs) : result
  }

  /// Gives each expected entity without one the first free entity that fits.
  private static func pair(
    _ expected: [FixtureEntity], _ got: [FixtureEntity], _ pairs: inout [Int?],
    _ taken: inout Set<Int>, _ fits: (FixtureEntity, FixtureEntity) -> Bool
  ) {
    var start = 0
    for place in expected.indices where pairs[place] == nil {
      // Most stand where they should, so that the search rarely goes far.
      let order = Array(start..<got.count) + Array(0..<start)
      let found = order.first { !taken.contains($0) && fits(expected[place], got[$0]) }
      guard let found else { continue }
      pairs[place] = found
      taken.insert(found)
      start = found + 1
    }
  }

  private static func isAlike(_ left: FixtureEntity, _ right: FixtureEntity) -> Bool {
    guard left.kind == right.kind else { return false }
    let names = Set(left.fields.map(\.name) + right.fields.map(\.name))
    return left.differences(from: right).count * 2 < names.count
  }

  /// The entities that stand behind one that should follow them.
  private static func moves(_ expected: [FixtureEntity], _ pairs: [Int?]) -> [FixtureDifference] {
    var result: [FixtureDifference] = []
    var highest = -1
    for (entity, place) in zip(expected, pairs) {
      guard let place else { continue }
      if place < highest {
        result.append(FixtureDifference(.moved, entity))
      } else {
        highest = place
      }
    }
    return result
  }
}
