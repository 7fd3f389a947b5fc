import CSimdjson

/// Reads JSON that may be damaged: what RFC 8259 does not allow is put right as follows, and said.
///
/// - A document that ends too early gives what it holds; a name without a value is left out.
/// - NaN, Infinity, undefined and other bare words are null; a number that is none (`01`, `+1`, `.5`,
///   `1.`) is the number that it looks like, else null.
/// - A comma too many or missing, comments, text after the value are passed over.
/// - Names without quotes and texts in single quotes are taken as they look; line breaks and control
///   characters inside of texts stay; the backslash of an unknown escape is left out.
/// - Nesting deeper than 512 is refused, as in strict reading.
enum JSONRepair {
  /// Reads a document, strictly first.
  ///
  /// - Parameters:
  ///   - isStopped: when it says true, the damage is not repaired.
  ///   - source: where a place in the text was in the document. It is asked before the text is changed.
  static func document(
    _ text: JSONText, isStopped: @escaping () -> Bool = { false }, source: (Int) -> Int
  ) throws(FeedError) -> (document: JSONDocument, damage: [FeedDamage]) {
    let problem: FeedError
    do throws(FeedError) {
      return (try JSONDocument(consuming: text), [])
    } catch {
      problem = error
    }
    guard case .json(let message, let place) = problem else { throw problem }
    let offset = source(place)
    let refusal = FeedError.json(message: message, offset: offset)
    let length = text.count
    guard let bytes = unsafe text.base else { throw refusal }
    var parser = unsafe JSONRepairParser(bytes, count: length, isStopped: isStopped)
    guard parser.parse(), parser.isPlausible, let tape = parser.takeTape() else { throw refusal }
    let document = JSONDocument(text: text, tape: tape)
    if parser.isCut { return (document, [FeedDamage(.cut, offset: length)]) }
    return (document, [FeedDamage(.badJSON, offset: offset, detail: message)])
  }
}
