import StarlingFavorites
public import StarlingModel

/// What is remembered of a source between two loads; kept in the database.
public struct SourceState: Sendable, Hashable {
  /// For the next request, as the server wrote them (RFC 9110, 8.8).
  var etag: String?
  var lastModified: String?
  /// When it was last asked, whatever came of it.
  public internal(set) var askedAt: Timestamp?
  /// When the server wants to be asked again at the earliest.
  var notBefore: Timestamp?
  /// Why the last load failed; nil when it did not.
  public internal(set) var failure: String?

  init() {}

  /// When the source is to be asked next.
  public func due(_ source: FeedSource) -> Timestamp {
    guard let askedAt else { return Timestamp(secondsSinceEpoch: 0) }
    let every = source.everySeconds ?? FeedSource.defaultEverySeconds
    let (next, overflow) = askedAt.secondsSinceEpoch.addingReportingOverflow(every)
    let due = Timestamp(secondsSinceEpoch: overflow ? .max : next)
    return max(due, notBefore ?? due)
  }

  // Kept as lines of a name and a value; a server's line ends would end a line, and mean nothing.

  init(text: String) {
    for line in text.split(separator: "\n") {
      guard let blank = line.firstIndex(of: " ") else { continue }
      let value = String(line[line.index(after: blank)...])
      switch line[..<blank] {
      case "etag": etag = value
      case "last-modified": lastModified = value
      case "asked": askedAt = Int64(value).map { Timestamp(secondsSinceEpoch: $0) }
      case "not-before": notBefore = Int64(value).map { Timestamp(secondsSinceEpoch: $0) }
      case "failure": failure = value
      default: break
      }
    }
  }

  var text: String {
    let lines: [(String, String?)] = [
      ("etag", etag), ("last-modified", lastModified),
      ("asked", askedAt.map { String($0.secondsSinceEpoch) }),
      ("not-before", notBefore.map { String($0.secondsSinceEpoch) }), ("failure", failure),
    ]
    return lines.compactMap { name, value in
      value.map { "\(name) \($0.split(whereSeparator: \.isNewline).joined(separator: " "))" }
    }.joined(separator: "\n")
  }
}

extension Host {
  /// What is remembered of a source. Its URL names it, so that a new name costs nothing.
  public func state(of source: FeedSource) throws(HostError) -> SourceState {
    let store = try store()
    do throws(FavoritesError) {
      return try store.setting("source \(source.url)").map { SourceState(text: $0) }
        ?? SourceState()
    } catch {
      throw HostError(error)
    }
  }

  func remember(_ state: SourceState, of source: FeedSource) throws(HostError) {
    let store = try store()
    do throws(FavoritesError) {
      try store.setSetting("source \(source.url)", state.text)
    } catch {
      throw HostError(error)
    }
  }
}
