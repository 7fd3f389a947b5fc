import StarlingFavorites
import StarlingModel

/// Keeps the last good text of each rules file in the database, so that a broken file does not
/// leave its user without rules.
struct RuleKeeper {
  let store: FavoritesStore
  let now: Timestamp
  let read: (String) throws(RulesError) -> [UInt8]
  /// Makes rules of a file's text.
  let parse: ([UInt8], String) throws(RulesError) -> RuleSet

  /// The rules of a file; its last good ones when the file is broken.
  ///
  /// - Parameter known: what is wrong in it, where that is known.
  /// - Throws: the file's faults when there is no last good text, or when this cannot be used with
  ///   the kinds of today either.
  func load(file: String, after known: RulesError? = nil) throws(RulesError) -> RulesInForce {
    do throws(RulesError) {
      if let known { throw known }
      let source = try read(file)
      let rules = try prepared(source, file)
      keep(source, file)
      return RulesInForce(rules: rules)
    } catch {
      guard let text = try? store.setting(RuleKeeper.name(of: file)) else { throw error }
      guard let rules = try? prepared(Array(text.utf8), file) else { throw error }
      return RulesInForce(rules: rules, error: error)
    }
  }

  private func prepared(_ source: [UInt8], _ file: String) throws(RulesError) -> RuleSet {
    let rules = try parse(source, file)
    try rules.prepare(for: store.kinds, now: now)
    return rules
  }

  /// A text that cannot be kept, as in a database that is read-only, is no reason not to use it.
  private func keep(_ source: [UInt8], _ file: String) {
    let name = RuleKeeper.name(of: file)
    let text = String(decoding: source, as: UTF8.self)
    guard (try? store.setting(name)) != text else { return }
    try? store.setSetting(name, text)
  }

  private static func name(of file: String) -> String {
    "rules:" + (Files.absolute(file) ?? file)
  }
}
