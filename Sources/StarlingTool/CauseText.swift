package import StarlingModel

/// Causes in words, the same in every command that shows them.
package enum CauseText {
  /// Who or what chose: `by hand`, `by rule "EV under 20万" (a1b2c3d4)`.
  package static func origin(_ origin: Cause.Origin) -> String {
    switch origin {
    case .hand: "by hand"
    case .rule(let name, let version): "by rule \"\(name)\" (\(version))"
    case .script(let name): "by script \(name)"
    case .import(let file, let line): "by import of \(file), line \(line)"
    }
  }

  /// What a rule saw: `price 16.59-25.13万 is below "20万"` is written
  /// `price = 16.59-25.13万 (below "20万")`.
  package static func evidence(_ evidence: Evidence) -> String {
    "\(evidence.field) = \(evidence.value) (\(evidence.condition))"
  }

  /// The cause in one line, with its time and what it saw.
  package static func line(_ cause: Cause) -> String {
    let seen = cause.evidence.map(evidence).joined(separator: ", ")
    return "\(origin(cause.origin)), \(cause.at)" + (seen.isEmpty ? "" : ": " + seen)
  }

  /// What a favorite adds to the card of its entity.
  static func rows(of favorite: Favorite) -> [(String, String)] {
    var rows = [("starred_at", favorite.starredAt.description)]
    if !favorite.tags.isEmpty { rows.append(("tags", favorite.tags.joined(separator: ", "))) }
    if let note = favorite.note { rows.append(("note", note)) }
    for cause in favorite.causes { rows.append(("cause", line(cause))) }
    return rows
  }
}
