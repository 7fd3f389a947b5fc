import Glibc
import StarlingModel
import Testing

@testable import Starling

/// Kinds and entities for the tests of rules.
enum RulesSupport {
  /// 2026-11-30T12:00:00Z.
  static let now = Timestamp(secondsSinceEpoch: 1_796_040_000)

  static let news = Kind(
    name: "news", key: .fields(["link"]),
    fields: [
      Field("link", .url), Field("title", .text), Field("author", .text),
      Field("categories", .list), Field("published", .time),
    ])
  static let post = Kind(
    name: "post", key: .fields(["site", "id"]),
    fields: [
      Field("site", .text), Field("id", .text), Field("title", .text), Field("likes", .integer),
      Field("replies", .integer),
    ])
  static let car = Kind(
    name: "car_type", key: .fields(["site", "uid"]),
    fields: [
      Field("site", .text), Field("uid", .text), Field("name", .text), Field("energy", .text),
      Field("price", .money),
    ])
  static let kinds = [news, post, car]

  static func rules(_ source: String, limits: Limits = .plugin) throws -> RuleSet {
    try RuleLoader(limits: limits, clock: { now }).load(
      source: Array(source.utf8), file: "conf/rules.lua")
  }

  static func prepared(_ source: String, limits: Limits = .plugin) throws -> RuleSet {
    let rules = try rules(source, limits: limits)
    try rules.prepare(for: kinds, now: now)
    rules.begin()
    return rules
  }

  static func record(_ kind: Kind, _ values: [String: Value]) -> EntityRecord {
    var record = EntityRecord()
    record.fill(from: Entity(kind: kind.name, key: "k", values: values), kind: kind)
    return record
  }

  static func outcome(
    _ rules: RuleSet, _ kind: Kind, _ values: [String: Value]
  ) throws -> RuleOutcome {
    var outcome = RuleOutcome()
    try rules.evaluate(record(kind, values), kind: kind, into: &outcome)
    return outcome
  }

  /// The lines of what is wrong, loading and checking together.
  static func faults(_ source: String) throws -> [String] {
    do throws(RulesError) {
      let rules = try RuleLoader(clock: { now }).load(
        source: Array(source.utf8), file: "conf/rules.lua")
      try rules.prepare(for: kinds, now: now)
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }
}

/// Files for tests.
enum Fixture {
  static func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  static func remove(_ path: String) {
    unlink(path)
  }
}
