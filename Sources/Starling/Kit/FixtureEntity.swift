import StarlingFeeds
import StarlingModel

/// An entity as a fixture has it: its JSON taken apart, so that the order of an object's members
/// and the blanks of a file written by hand do not count.
struct FixtureEntity: Equatable, Sendable {
  struct Field: Equatable, Sendable {
    var name: String
    /// Compact JSON with sorted names.
    var json: String
  }

  var kind = ""
  var key = ""
  /// In the order of the object.
  var fields: [Field] = []

  static func == (left: FixtureEntity, right: FixtureEntity) -> Bool {
    left.isSameEntity(as: right) && left.differences(from: right).isEmpty
  }

  /// Whether both are one entity, whatever its values; keys compare as bytes.
  func isSameEntity(as other: FixtureEntity) -> Bool {
    kind == other.kind && key.utf8.elementsEqual(other.key.utf8)
  }

  /// The fields that differ, in this entity's order; `self` is what is expected.
  func differences(from other: FixtureEntity) -> [FixtureDifference.Field] {
    var result: [FixtureDifference.Field] = []
    for field in fields {
      let got = other.fields.first { $0.name == field.name }?.json
      if got.map({ $0.utf8.elementsEqual(field.json.utf8) }) != true {
        result.append(FixtureDifference.Field(name: field.name, expected: field.json, got: got))
      }
    }
    for field in other.fields where !fields.contains(where: { $0.name == field.name }) {
      result.append(FixtureDifference.Field(name: field.name, expected: nil, got: field.json))
    }
    return result
  }
}

/// What a fixture's input must give: the lines of `CASE.expected.jsonl`.
struct FixtureExpectation: Equatable, Sendable {
  var entities: [FixtureEntity] = []
  /// How many items are left out, by reason.
  var leftOut: [String: Int] = [:]

  /// Reads JSON Lines; blank lines do not count.
  ///
  /// - Throws: the number of the line that is no object, and why.
  init(parsing text: [UInt8]) throws(FixtureFault) {
    var number = 0
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.allSatisfy({ $0 <= 0x20 }) { continue }
      do throws(FeedError) {
        try read(Array(line))
      } catch {
        throw FixtureFault(message: "line \(number): \(error.description)")
      }
    }
  }

  private mutating func read(_ line: [UInt8]) throws(FeedError) {
    let document = try JSONDocument.parsing(line)
    guard document.kind(document.root) == .object else {
      throw .json(message: "an object is expected", offset: 0)
    }
    if let reason = document.member(document.root, "left_out") {
      let count = document.member(document.root, "count").map(document.integer) ?? 1
      leftOut[document.string(reason), default: 0] += Int(clamping: count)
      return
    }
    var entity = FixtureEntity()
    document.forEachMember(of: document.root) { name, value in
      switch name {
      case "kind": entity.kind = document.string(value)
      case "key": entity.key = document.string(value)
      default:
        let json = CompactJSON.sorted(document, value)
        // Of a name written twice the last one counts.
        entity.fields.removeAll { $0.name == name }
        entity.fields.append(FixtureEntity.Field(name: name, json: json))
      }
    }
    entities.append(entity)
  }
}

/// What is wrong with a fixture's own files.
struct FixtureFault: Error {
  var message: String
}

extension JSONDocument {
  /// Parses strict JSON at hand.
  static func parsing(_ bytes: [UInt8]) throws(FeedError) -> JSONDocument {
    try unsafe bytes.withUnsafeBytes { all -> Result<JSONDocument, FeedError> in
      do throws(FeedError) {
        return .success(try unsafe JSONDocument(parsing: all))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// The members of an object in document order.
  func forEachMember(of object: Node, _ body: (_ name: String, _ value: Node) -> Void) {
    guard kind(object) == .object else { return }
    var next = firstChild(object)
    while let key = next, let value = nextSibling(key, in: object) {
      body(string(key), value)
      next = nextSibling(value, in: object)
    }
  }

  /// The elements of an array in order.
  func forEachElement(of array: Node, _ body: (Node) -> Void) {
    guard kind(array) == .array else { return }
    var next = firstChild(array)
    while let element = next {
      body(element)
      next = nextSibling(element, in: array)
    }
  }
}
