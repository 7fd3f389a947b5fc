extension Matcher {
  /// What each clause of the condition met in the record, in the order of the condition.
  ///
  /// A clause is what the condition says of one field. Of an `any` over several fields it gives the
  /// clauses of the first alternative that holds, and of all alternatives when none does. A `not_`
  /// over several fields is one clause.
  package func explain(_ record: borrowing EntityRecord) -> [ClauseOutcome] {
    var cache = FoldCache()
    return explain(record, &cache)
  }

  /// The same with the cache of the record, after `matches` has filled it.
  package func explain(
    _ record: borrowing EntityRecord, _ cache: inout FoldCache
  ) -> [ClauseOutcome] {
    var outcomes: [ClauseOutcome] = []
    explain(explanation, record, &cache, &outcomes)
    return outcomes
  }

  private func explain(
    _ explanation: Explanation, _ record: borrowing EntityRecord,
    _ cache: inout FoldCache, _ outcomes: inout [ClauseOutcome]
  ) {
    switch explanation {
    case .clause(let clause, let index):
      var value = ""
      for (place, field) in clause.fields.enumerated() {
        if place > 0 { value += ", " }
        value += seen(field, index, record, &cache)
      }
      outcomes.append(
        ClauseOutcome(
          field: clause.names, condition: clause.text, value: value,
          verdict: evaluate(index, record, &cache)))
    case .each(let parts):
      for part in parts { explain(part, record, &cache, &outcomes) }
    case .alternatives(let parts):
      for part in parts where evaluate(part.index, record, &cache) == .held {
        return explain(part.explanation, record, &cache, &outcomes)
      }
      for part in parts { explain(part.explanation, record, &cache, &outcomes) }
    }
  }

  // MARK: What was seen

  /// Texts longer than this many bytes are cut to what surrounds the find.
  private static let longText = 240

  private func seen(
    _ field: Int, _ index: Int, _ record: borrowing EntityRecord, _ cache: inout FoldCache
  ) -> String {
    guard field < record.slots.count else { return "" }
    guard case .text(let range) = record.slots[field], range.count > Matcher.longText else {
      return record.value(field)?.description ?? ""
    }
    return excerpt(range, around: firstFind(from: index, in: field, range, record, &cache), record)
  }

  /// Where the first step within the clause at `index` finds its text: the byte of the field's text,
  /// 0 when none does.
  private func firstFind(
    from index: Int, in field: Int, _ range: Range<Int>, _ record: borrowing EntityRecord,
    _ cache: inout FoldCache
  ) -> Int {
    for place in index..<Int(steps[index].end) where Int(steps[place].field) == field {
      switch steps[place].operation {
      case .hasText, .hasWord:
        guard let found = findNeedle(steps[place], field, record, &cache) else { continue }
        return unfolded(found.lowerBound, record.bytes.span.extracting(range))
      case .hasPattern:
        if case .found(let found) = findPattern(steps[place], record.slots[field], record) {
          return found.lowerBound
        }
      default: break
      }
    }
    return 0
  }

  /// The byte of a text whose fold begins at `offset`.
  private func unfolded(_ offset: Int, _ text: Span<UInt8>) -> Int {
    var place = 0
    var folded = 0
    while place < text.count, folded < offset {
      let length = TextFold.decode(text, at: place).length
      folded += TextFold.folded(text.extracting(place..<place + length)).count
      place += length
    }
    return place
  }

  /// Cuts a text to what surrounds a byte of it.
  private func excerpt(
    _ range: Range<Int>, around place: Int, _ record: borrowing EntityRecord
  ) -> String {
    let text = record.bytes.span.extracting(range)
    var start = max(0, min(place - Matcher.longText / 3, text.count - Matcher.longText))
    var end = min(text.count, start + Matcher.longText)
    while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    while end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
    let middle = record.string(range.lowerBound + start..<range.lowerBound + end)
    return (start > 0 ? "…" : "") + middle + (end < text.count ? "…" : "")
  }
}
