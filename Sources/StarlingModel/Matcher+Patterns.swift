extension Matcher {
  /// Where in the field's text the first of the step's expressions that is found stands, counted from
  /// the text's beginning; for a list, from that of the element.
  ///
  /// One that is undecided decides only when none is found.
  func findPattern(
    _ step: MatcherProgram.Step, _ slot: EntityRecord.Slot, _ record: borrowing EntityRecord
  ) -> Pattern.Answer {
    switch slot {
    case .text(let range): return findPattern(step, range, record)
    case .money(let place): return findPattern(step, record.moneys[place].text, record)
    case .list(let elements):
      var answer = Pattern.Answer.none
      for place in elements {
        switch findPattern(step, record.items[place], record) {
        case .found(let range): return .found(range)
        case .undecided: answer = .undecided
        case .none: break
        }
      }
      return answer
    default: return .none
    }
  }

  private func findPattern(
    _ step: MatcherProgram.Step, _ range: Range<Int>, _ record: borrowing EntityRecord
  ) -> Pattern.Answer {
    let text = record.bytes.span.extracting(range)
    var answer = Pattern.Answer.none
    for index in Int(step.first)..<Int(step.first + step.count) {
      switch patterns[index].find(in: text) {
      case .found(let range): return .found(range)
      case .undecided: answer = .undecided
      case .none: break
      }
    }
    return answer
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
