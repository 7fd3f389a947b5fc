/// The nearest right spelling of a misspelt name.
package enum Spelling {
  /// The candidate that is nearest to `word`, or nil when none is near.
  ///
  /// Near is one edit (a letter more, fewer, other, or two neighbors swapped) for words of up to 4
  /// letters, two for up to 8, three beyond; case costs nothing. Of equally near ones the first in
  /// alphabetical order is given, so that the answer never depends on the order of a dictionary.
  package static func nearest(
    to word: String, among candidates: some Sequence<String>
  ) -> String? {
    // A longer one is no name, and its letters would take four times its memory.
    guard word.utf8.count <= 256 else { return nil }
    let wanted = letters(of: word)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (distance: Int, name: String)?
    let limit = wanted.count <= 4 ? 1 : wanted.count <= 8 ? 2 : 3
    for candidate in candidates {
      let other = letters(of: candidate)
      guard abs(other.count - wanted.count) <= limit else { continue }
      let distance = distance(wanted, other)
      guard distance <= limit, distance < max(wanted.count, other.count) else { continue }
      if let best, (best.distance, best.name) <= (distance, candidate) { continue }
      best = (distance, candidate)
    }
    return best?.name
  }

  private static func letters(of word: String) -> [Unicode.Scalar] {
    Array(String(decoding: TextFold.folded(word), as: UTF8.self).unicodeScalars)
  }

  /// The optimal string alignment distance (Damerau-Levenshtein without edits inside a swap).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1], current[column]) + 1
        cost = min(cost, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
