package import StarlingModel

/// Writes rows as `--json` prints them, a line each, straight from the columns' bytes: the members
/// of the entity and, of a favorite, `starred_at`, `tags`, `note` and `causes`.
///
/// It is the text that `JSONWriter.entity` and `JSONWriter.favorite` write of the same values.
package final class RowJSONWriter {
  private var json = JSONWriter()
  /// `{"kind":"news","key":`
  private let head: [UInt8]
  /// `,"title":` for each field.
  private let names: [[UInt8]]
  /// Who acted, as the beginning of a cause: `{"by":"script","script":"stars.lua","at":`.
  private var actors: [Int64: [UInt8]] = [:]

  private let comma = [UInt8(ascii: ",")]
  private let starredAt = Array(",\"starred_at\":".utf8)
  private let tags = Array(",\"tags\":[".utf8)
  private let note = Array(",\"note\":".utf8)
  private let causes = Array(",\"causes\":[".utf8)
  private let evidence = Array(",\"evidence\":".utf8)

  package init(_ kind: Kind) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("kind", kind.name)
    writer.name("key")
    head = writer.bytes
    names = kind.fields.map { field in
      var writer = JSONWriter()
      writer.name(field.name)
      return [UInt8(ascii: ",")] + writer.bytes
    }
  }

  /// What was written since `removeAll`.
  package var bytes: [UInt8] { json.bytes }

  package func removeAll() { json.removeAll() }

  /// Writes the object of a row, and a line end.
  ///
  /// - Parameter more: writes what stands behind the members.
  package func write(
    _ row: EntityRow, more: (inout JSONWriter) -> Void = { _ in }
  ) throws(FavoritesError) {
    // In a local variable: a property is checked at each access, of which a row has fifty.
    var json = JSONWriter()
    swap(&json, &self.json)
    defer { swap(&json, &self.json) }
    json.encoded(head)
    unsafe json.text(utf8: row.key)
    for field in names.indices { unsafe write(row.value(field), names[field], to: &json) }
    if let seconds = row.starredAt {
      json.encoded(starredAt)
      json.time(Timestamp(secondsSinceEpoch: seconds))
      json.encoded(tags)
      if row.hasTags {
        try unsafe row.forEachTag { tag in
          unsafe json.text(utf8: tag)
          return true
        }
      }
      json.endArray()
      if let text = unsafe row.note {
        json.encoded(note)
        unsafe json.text(utf8: text)
      }
      json.encoded(causes)
      try unsafe row.forEachCause { cause throws(FavoritesError) in
        try unsafe write(cause, row, to: &json)
      }
      json.endArray()
    }
    more(&json)
    json.endObject()
    json.newline()
  }

  @inline(__always)
  private func write(_ value: RowValue, _ name: [UInt8], to json: inout JSONWriter) {
    if case .absent = unsafe value { return }
    json.encoded(name)
    switch unsafe value {
    case .absent: break
    case .text(let bytes): unsafe json.text(utf8: bytes)
    case .integer(let number): json.integer(number)
    case .real(let number): json.real(number)
    case .boolean(let flag): json.boolean(flag)
    case .time(let seconds): json.time(Timestamp(secondsSinceEpoch: seconds))
    case .money(let low, let high, let currency, let text):
      unsafe json.money(low: low, high: high, currency: currency, text: text)
    case .list(let items):
      json.beginArray()
      unsafe ListText.forEach(items) { item in unsafe json.text(utf8: item) }
      json.endArray()
    }
  }

  private func write(
    _ cause: CauseRow, _ row: EntityRow, to json: inout JSONWriter
  ) throws(FavoritesError) {
    if unsafe cause.place > 1 { json.encoded(comma) }
    if let known = unsafe actors[cause.actor] {
      json.encoded(known)
    } else {
      json.encoded(try unsafe beginning(of: cause, row))
    }
    unsafe json.time(Timestamp(secondsSinceEpoch: cause.at))
    if let text = unsafe cause.evidence {
      json.encoded(evidence)
      unsafe json.value(encoded: text)
    }
    json.endObject()
  }

  /// How a cause of this actor begins; remembered, except where a line of a file belongs to it.
  private func beginning(
    of cause: CauseRow, _ row: EntityRow
  ) throws(FavoritesError) -> [UInt8] {
    let origin = try unsafe row.origin(of: cause)
    var writer = JSONWriter()
    writer.beginObject()
    writer.originMembers(origin)
    writer.name("at")
    if origin.line == nil { unsafe actors[cause.actor] = writer.bytes }
    return writer.bytes
  }
}

@available(*, unavailable)
extension RowJSONWriter: Sendable {}
