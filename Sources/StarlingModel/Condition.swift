/// What must hold of an entity: the `where` of a query, or the named keys of a rule.
///
/// The words are those of the rule language; one matcher (`Matcher`) gives them their meaning in
/// rules, queries and the command alike.
public indirect enum Condition: Hashable, Sendable {
  case test(field: String, Test)
  /// Holds when each holds; `all([])` always does.
  case all([Condition])
  /// Holds when one holds; `any([])` never does.
  case any([Condition])
  case not(Condition)
}

/// What one field's value is asked.
public enum Test: Hashable, Sendable {
  /// Equal to one of these; text without regard to case.
  case `is`([Value])
  /// Contains one of these texts.
  case has([String])
  /// Contains one of these as whole words.
  case word([String])
  /// One of these regular expressions (pcre2pattern(3)) stands in it.
  case matches([String])
  case atLeast(Value)
  case atMost(Value)
  case above(Value)
  case below(Value)
  /// From the first to the second, both included.
  case between(Value, Value)
  /// At or after this moment.
  case since(Moment)
  /// Earlier than this moment.
  case before(Moment)
  /// The value is absent.
  case missing
}

/// A point in time as people give it: fixed, or so long ago.
public enum Moment: Hashable, Sendable {
  case at(Timestamp)
  /// Seconds before the time of asking.
  case ago(Int64)

  public func timestamp(now: Timestamp) -> Timestamp {
    switch self {
    case .at(let time): time
    case .ago(let seconds):
      Timestamp(
        secondsSinceEpoch: now.secondsSinceEpoch.subtractingReportingOverflow(seconds).partialValue)
    }
  }
}
