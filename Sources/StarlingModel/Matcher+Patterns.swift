extension Matcher {
  /// After so many searches without an answer no more are made: each took all the steps that it may.
  private static let mostUndecided = 2

  /// Whether some of its questions are regular expressions, of which each may take milliseconds.
  package var hasPatterns: Bool { !patterns.isEmpty }

  /// Where in the field's text the first of the step's expressions that is found stands, counted from
  /// the text's beginning; for a list, from that of the element.
  ///
  /// Those that are undecided decide only when none is found; a few of them end the search.
  func findPattern(
    _ step: MatcherProgram.Step, _ slot: EntityRecord.Slot, _ record: borrowing EntityRecord
  ) -> Pattern.Answer {
    switch slot {
    case .text(let range): return findPattern(step, range, record)
    case .money(let place): return findPattern(step, record.moneys[place].text, record)
    case .list(let elements):
      var undecided = 0
      for place in elements where undecided < Matcher.mostUndecided {
        switch findPattern(step, record.items[place], record) {
        case .found(let range): return .found(range)
        case .undecided: undecided += 1
        case .none: break
        }
      }
      return undecided > 0 ? .undecided : .none
    default: return .none
    }
  }

  private func findPattern(
    _ step: MatcherProgram.Step, _ range: Range<Int>, _ record: borrowing EntityRecord
  ) -> Pattern.Answer {
    let text = record.bytes.span.extracting(range)
    var undecided = 0
    for index in Int(step.first)..<Int(step.first + step.count)
    where undecided < Matcher.mostUndecided {
      switch patterns[index].find(in: text) {
      case .found(let range): return .found(range)
      case .undecided: undecided += 1
      case .none: break
      }
    }
    return undecided > 0 ? .undecided : .none
  }
}

extension Pattern.Answer {
  var verdict: Verdict {
    switch self {
    case .found: .held
    case .none: .failed
    case .undecided: .cannotCompare
    }
  }
}
