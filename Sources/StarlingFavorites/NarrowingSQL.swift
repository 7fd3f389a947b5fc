import StarlingModel

/// A value that a query binds.
enum BoundValue: Hashable, Sendable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
  /// The query's own test of rows.
  case rowTest
}

/// Turns what a condition asks into SQL over the table `e`.
struct NarrowingSQL {
  let table: KindTable
  private(set) var values: [BoundValue] = []
  /// Whether a clause that must hold can use an index.
  private(set) var usesIndex = false
  private let firstParameter: Int
  /// Whether the clause at hand is inside a `not`, where "neither true nor false" would show.
  private var isNegated = false

  init(table: KindTable, firstParameter: Int) {
    self.table = table
    self.firstParameter = firstParameter
  }

  /// One part of a condition: SQL that holds at least where the part does, or nil for anything.
  private struct Clause {
    var sql: String?
    /// Whether it holds only where the part does.
    var isExact: Bool
    var usesIndex = false
  }

  /// The SQL of a condition.
  ///
  /// - Returns: SQL that holds at least where the condition does, nil for anything; and whether it
  ///   holds only there, so that nobody else need be asked.
  mutating func compile(_ narrowing: Narrowing) -> (sql: String?, isExact: Bool) {
    let clause = clause(narrowing)
    usesIndex = clause.usesIndex
    return (clause.sql, clause.isExact)
  }

  private mutating func clause(_ narrowing: Narrowing) -> Clause {
    switch narrowing {
    case .opaque: return Clause(sql: nil, isExact: false)
    case .all(let parts): return all(parts)
    case .any(let parts): return any(parts)
    case .not(let part):
      let bound = values.count
      let outer = isNegated
      isNegated = true
      let clause = clause(part)
      isNegated = outer
      guard clause.isExact else {
        // What holds at least where the part does says nothing about where it does not.
        values.removeSubrange(bound...)
        return Clause(sql: nil, isExact: false)
      }
      return Clause(sql: "NOT " + (clause.sql ?? "1"), isExact: true)
    case .missing(let field):
      return Clause(sql: "(e.\"\(table.columns[field].name)\" IS NULL)", isExact: true)
    case .boolean(let field, let acceptsTrue, let acceptsFalse):
      let name = "e.\"\(table.columns[field].name)\""
      let numbers = (acceptsTrue ? ["1"] : []) + (acceptsFalse ? ["0"] : [])
      return Clause(
        sql: "(\(name) IS NOT NULL AND \(name) IN (\(numbers.joined(separator: ", "))))",
        isExact: true, usesIndex: table.columns[field].isIndexed)
    case .integers(let field, let intervals):
      return ranges(
        field,
        intervals.map { interval in
          (
            interval.low == .min ? nil : .integer(interval.low),
            interval.high == .max ? nil : .integer(interval.high), interval.low > interval.high
          )
        })
    case .reals(let field, let intervals):
      return ranges(
        field,
        intervals.map { interval in
          (
            interval.low == -.infinity ? nil : .real(interval.low),
            interval.high == .infinity ? nil : .real(interval.high), interval.low > interval.high
          )
        })
    case .texts(let field, let folds): return texts(field, folds)
    }
  }

  private mutating func all(_ parts: [Narrowing]) -> Clause {
    var result = Clause(sql: nil, isExact: true)
    var pieces: [String] = []
    for part in parts {
      let clause = clause(part)
      if let sql = clause.sql { pieces.append(sql) }
      result.isExact = result.isExact && clause.isExact
      result.usesIndex = result.usesIndex || clause.usesIndex
    }
    if !pieces.isEmpty { result.sql = "(" + pieces.joined(separator: " AND ") + ")" }
    return result
  }

  private mutating func any(_ parts: [Narrowing]) -> Clause {
    guard !parts.isEmpty else { return Clause(sql: "0", isExact: true) }
    let bound = values.count
    var result = Clause(sql: nil, isExact: true, usesIndex: true)
    var pieces: [String] = []
    for part in parts {
      let clause = clause(part)
      guard let sql = clause.sql else {
        values.removeSubrange(bound...)
        return Clause(sql: nil, isExact: clause.isExact && result.isExact)
      }
      pieces.append(sql)
      result.isExact = result.isExact && clause.isExact
      result.usesIndex = result.usesIndex && clause.usesIndex
    }
    result.sql = "(" + pieces.joined(separator: " OR ") + ")"
    return result
  }

  private mutating func ranges(
    _ field: Int, _ ranges: [(low: BoundValue?, high: BoundValue?, isEmpty: Bool)]
  ) -> Clause {
    guard ranges.count <= NarrowingSQL.parameterLimit else {
      return Clause(sql: nil, isExact: false)
    }
    let column = table.columns[field]
    let name = "e.\"\(column.comparedName)\""
    var pieces: [String] = []
    for range in ranges {
      if range.isEmpty {
        // No value is in it, but an absent one cannot even be compared.
        pieces.append("(\(name) IS NULL AND NULL)")
        continue
      }
      switch (range.low, range.high) {
      case (nil, nil): pieces.append("(\(name) = \(name))")
      case (let low?, nil): pieces.append("\(name) >= \(bind(low))")
      case (nil, let high?): pieces.append("\(name) <= \(bind(high))")
      case (let low?, let high?) where low == high: pieces.append("\(name) = \(bind(low))")
      case (let low?, let high?):
        pieces.append("(\(name) >= \(bind(low)) AND \(name) <= \(bind(high)))")
      }
    }
    return Clause(
      sql: "(" + pieces.joined(separator: " OR ") + ")", isExact: true,
      usesIndex: column.isIndexed)
  }

  /// The index without regard to ASCII case finds the texts whose fold is no more than that; the
  /// others have their fold in a column with an index of its own. A fold folds to itself, so that no
  /// text is equal to it without regard to ASCII case and yet has another.
  private mutating func texts(_ field: Int, _ folds: [[UInt8]]) -> Clause {
    let column = table.columns[field]
    guard let folded = column.foldedName, folds.count <= NarrowingSQL.parameterLimit else {
      return Clause(sql: nil, isExact: false)
    }
    let equals = isNegated ? "IS" : "="
    let pieces = folds.map { fold in
      let mark = bind(.bytes(fold))
      return "e.\"\(column.name)\" = \(mark) COLLATE NOCASE OR e.\"\(folded)\" \(equals) \(mark)"
    }
    let any = "(" + pieces.joined(separator: " OR ") + ")"
    // An absent text is plainly another; under a `not`, SQL alone would not know.
    let sql = isNegated ? "(e.\"\(column.name)\" IS NOT NULL AND \(any))" : any
    return Clause(sql: sql, isExact: true, usesIndex: true)
  }

  private static let parameterLimit = 500

  private mutating func bind(_ value: BoundValue) -> String {
    values.append(value)
    return "?\(firstParameter + values.count - 1)"
  }
}
