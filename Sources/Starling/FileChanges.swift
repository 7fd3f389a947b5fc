/// Tells whether files changed since the last look.
///
/// A look costs a stat of each file. Their bytes are read when a stamp is another one, or so young
/// that a second save within the clock's tick would not show in it.
package struct FileChanges {
  private var stamps: [String: FileStamp] = [:]
  /// Of the names and bytes at the last look; nil before the first.
  private var fingerprint: String?
  /// Whether all stamps were old enough then to tell the next save.
  private var isSettled = false

  /// Seconds; FAT has a tick of two.
  private static let tick = 3

  package init() {}

  /// - Returns: whether a file came, went, or has other bytes than at the last look; true at the
  ///   first.
  package mutating func look(at paths: [String]) -> Bool {
    let now = FileStamp.now
    var found: [String: FileStamp] = [:]
    for path in paths { found[path] = FileStamp(path) }
    if isSettled, found == stamps { return false }
    stamps = found
    isSettled = found.values.allSatisfy { $0.changedSeconds < now - FileChanges.tick }
    var hash = TextHash()
    for path in found.keys.sorted() {
      hash.add(path)
      hash.add((try? Files.read(path)) ?? [])
    }
    defer { fingerprint = hash.allDigits }
    return hash.allDigits != fingerprint
  }
}
