import StarlingModel

/// What a change keeps so that it can be undone, as JSON.
enum ChangeDetail {
  /// `[{"field":…,"value":…,"condition":…}]`, or nil when there is none.
  static func evidence(_ evidence: [Evidence]) -> String? {
    guard !evidence.isEmpty else { return nil }
    var json: [UInt8] = Array("[".utf8)
    for (place, item) in evidence.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      append("{\"field\":", item.field, to: &json)
      append(",\"value\":", item.value, to: &json)
      append(",\"condition\":", item.condition, to: &json)
      json.append(UInt8(ascii: "}"))
    }
    json.append(UInt8(ascii: "]"))
    return String(decoding: json, as: UTF8.self)
  }

  /// `{"tags":[…],"also":[…],"note":…}`: tags that were not there, and tags that were, from others,
  /// and belong to this one as well from now on.
  static func attached(tags: [String], also: [String] = [], note: String? = nil) -> String {
    var json: [UInt8] = Array("{\"tags\":".utf8)
    append(tags, to: &json)
    if !also.isEmpty {
      json.append(contentsOf: ",\"also\":".utf8)
      append(also, to: &json)
    }
    if let note { append(",\"note\":", note, to: &json) }
    json.append(UInt8(ascii: "}"))
    return String(decoding: json, as: UTF8.self)
  }

  /// `{"before":…,"after":…}`; an absent note is left out.
  static func note(before: String?, after: String?) -> String {
    var json: [UInt8] = Array("{\"was\":\(before == nil ? 0 : 1)".utf8)
    if let before { append(",\"before\":", before, to: &json) }
    if let after { append(",\"after\":", after, to: &json) }
    json.append(UInt8(ascii: "}"))
    return String(decoding: json, as: UTF8.self)
  }

  /// The fields that a kind's key is made of, as the table `kinds` has them.
  static func keyRule(before: Kind.KeyRule, after: Kind.KeyRule) -> String {
    note(before: before.names, after: after.names)
  }

  /// A row that came back after it had been merged into another.
  static func separated(before: String, after: String, mark: Int) -> String {
    String(note(before: before, after: after).dropLast()) + ",\"merge\":\(mark)}"
  }

  /// A cause that went: `{"actor":…,"number":…,"line":…,"evidence":…,"at":…}`
  static func cause(
    number: Int64, actor: Int64, line: Int64?, evidence: String?, at: Int64
  ) -> String {
    var json: [UInt8] = Array("{\"actor\":\(actor),\"number\":\(number),\"at\":\(at)".utf8)
    if let line { json.append(contentsOf: ",\"line\":\(line)".utf8) }
    if let evidence { append(",\"evidence\":", evidence, to: &json) }
    json.append(UInt8(ascii: "}"))
    return String(decoding: json, as: UTF8.self)
  }

  /// What a new cause changed: the one that it took the place of, and the tags that came with it.
  static func cause(_ replaced: String?, with tags: GivenTags) -> String? {
    guard !tags.new.isEmpty || !tags.shared.isEmpty else { return replaced }
    let attached = attached(tags: tags.new, also: tags.shared)
    guard let replaced else { return attached }
    return String(replaced.dropLast()) + "," + attached.dropFirst()
  }

  /// The same change as a part of what another one did.
  static func part(of change: Int64, _ detail: String?) -> String {
    guard let detail else { return "{\"undo\":\(change)}" }
    return String(detail.dropLast()) + ",\"undo\":\(change)}"
  }

  /// A refusal that went over to another key with its thing.
  static let moved = "{\"moved\":1}"

  /// The cause that an older one of the same rule took the place of, with that one's actor.
  static func restored(_ actor: Int64, over removed: String?) -> String {
    guard let removed else { return "{\"restored\":\(actor)}" }
    return String(removed.dropLast()) + ",\"restored\":\(actor)}"
  }

  private static func append(_ list: [String], to json: inout [UInt8]) {
    json.append(UInt8(ascii: "["))
    for (place, text) in list.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      ListText.append(text.utf8, to: &json)
    }
    json.append(UInt8(ascii: "]"))
  }

  private static func append(_ name: String, _ text: String, to json: inout [UInt8]) {
    json.append(contentsOf: name.utf8)
    ListText.append(text.utf8, to: &json)
  }
}

/// The tags that somebody gave a favorite.
struct GivenTags {
  /// That were not there.
  var new: [String] = []
  /// That were there, from others.
  var shared: [String] = []
}
