import Glibc
import Testing

/// Hostile Lua: statements, and how they may end.
struct Attack: Sendable, CustomTestStringConvertible {
  enum Ending: Sendable {
    /// A stop for time or memory, and nothing else.
    case stopped
    /// Whatever comes: an error, a stop, even success, but soon.
    case soon
    /// An error whose message has this text.
    case saying(String)
  }

  let name: String
  let source: String
  let ending: Ending

  init(_ name: String, _ source: String) { self.init(name, .stopped, source) }

  init(_ name: String, _ ending: Ending, _ source: String) {
    self.name = name
    self.source = source
    self.ending = ending
  }

  var testDescription: String { name }

  /// The attacks and where they run. `make attack` runs each in each place, which takes minutes; the
  /// tests run each in two, such that every place gets some of every list.
  static func spread(_ attacks: [Attack]) -> [(AttackPlace, Attack)] {
    let places = AttackPlace.allCases
    if getenv("STARLING_ATTACKS") != nil {
      return places.flatMap { place in attacks.map { (place, $0) } }
    }
    return attacks.enumerated().flatMap { index, attack in
      [(places[index % places.count], attack), (places[(index + 4) % places.count], attack)]
    }
  }
}
