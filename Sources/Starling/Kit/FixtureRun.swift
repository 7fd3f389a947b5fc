import StarlingModel

/// Runs one fixture of a plugin through the host's own path from bytes to entities.
struct FixtureRun {
  let bench: PluginBench
  let plugin: Plugin
  let fixture: PluginFixture
  /// Whether what differs becomes what is expected.
  let isUpdate: Bool

  private struct Outcome {
    var lines: [UInt8] = []
    var leftOut: [String: Int] = [:]
    var failures: [LoadReport.ItemFailure] = []
  }

  func result() -> FixtureResult {
    var result = FixtureResult(name: fixture.file, path: fixture.path)
    do throws(FixtureFault) {
      let options = try fixture.options()
      let outcome = try mapped(options)
      result.failures = outcome.failures
      if options.isAccepted { result.otherTakers = try otherTakers(options) }
      try compare(outcome, &result)
    } catch {
      result.faults.append(error.message)
    }
    if !result.faults.isEmpty || !result.failures.isEmpty { result.outcome = .failed }
    return result
  }

  private func compare(_ outcome: Outcome, _ result: inout FixtureResult) throws(FixtureFault) {
    let got = try FixtureExpectation(parsing: outcome.lines + FixtureRun.lines(outcome.leftOut))
    let expected: FixtureExpectation
    do throws(FixtureFault) {
      guard let found = try fixture.expectation() else {
        throw FixtureFault(
          message: "there is no \(fixture.expectedPath); --update writes it from what is given")
      }
      expected = found
    } catch {
      guard isUpdate else { throw error }
      return try update(outcome, &result)
    }
    result.differences = FixtureDifference.all(expected: expected.entities, got: got.entities)
    result.leftOut = FixtureRun.compare(expected.leftOut, got.leftOut)
    if result.differences.isEmpty && result.leftOut.isEmpty { return }
    result.outcome = .failed
    if isUpdate { try update(outcome, &result) }
  }

  /// What is expected holds no failed items, so a fixture with one is never rewritten.
  private func update(_ outcome: Outcome, _ result: inout FixtureResult) throws(FixtureFault) {
    guard outcome.failures.isEmpty else { return }
    do throws(HostError) {
      try Files.replace(
        fixture.expectedPath, with: outcome.lines + FixtureRun.lines(outcome.leftOut))
    } catch {
      throw FixtureFault(message: error.description)
    }
    result.outcome = .updated
  }

  private func mapped(_ options: PluginFixture.Options) throws(FixtureFault) -> Outcome {
    // Nothing of an earlier feed is left in the state.
    plugin.discardSession()
    var outcome = Outcome()
    var writer = JSONWriter()
    let isAsked = options.isAccepted && plugin.hasAccepts
    let mapper = try self.mapper(plugin, options, isNamed: !isAsked) { kind, record, _ in
      writer.record(record, kind: kind)
      writer.newline()
    }
    do throws(HostError) {
      try mapper.run()
    } catch {
      let isRefused = mapper.mapper.report.plugin.isEmpty && isAsked && error.kind == .plugin
      if isRefused {
        outcome.failures += mapper.mapper.report.failures
        guard outcome.failures.isEmpty else { return outcome }
        throw FixtureFault(
          message: "`accepts` does not take it; \"accepts\": false in \(fixture.optionsPath) "
            + "says that the plugin must be named")
      }
      outcome.failures.append(LoadReport.ItemFailure(place: 0, error: error))
    }
    outcome.failures += mapper.mapper.report.failures
    outcome.leftOut = mapper.mapper.report.leftOut
    outcome.lines = writer.bytes
    return outcome
  }

  private func otherTakers(_ options: PluginFixture.Options) throws(FixtureFault) -> [String] {
    var takers: [String] = []
    for other in bench.set.plugins
    where other !== plugin && other.refusal == nil && other.hasAccepts {
      let mapper = try self.mapper(other, options, isNamed: false) { _, _, _ in }
      // What fails later was taken all the same.
      try? mapper.run()
      if !mapper.mapper.report.plugin.isEmpty { takers.append(other.name) }
    }
    return takers
  }

  private func mapper(
    _ plugin: Plugin, _ options: PluginFixture.Options, isNamed: Bool,
    take: @escaping FeedMapper.Take
  ) throws(FixtureFault) -> DocumentRun {
    let input: FeedInput
    do throws(HostError) { input = try fixture.input(options) } catch {
      throw FixtureFault(message: error.description)
    }
    let mapper = FeedMapper(
      input, url: nil, contentType: nil, candidates: [plugin], isNamed: isNamed,
      kindNamed: { bench.set.model[$0] }, take: take)
    return DocumentRun(input: input, mapper: mapper)
  }

  /// `{"left_out":REASON,"count":N}`, by reason.
  private static func lines(_ leftOut: [String: Int]) -> [UInt8] {
    var writer = JSONWriter()
    for (reason, count) in leftOut.sorted(by: { $0.key < $1.key }) {
      writer.beginObject()
      writer.member("left_out", reason)
      writer.name("count")
      writer.integer(Int64(count))
      writer.endObject()
      writer.newline()
    }
    return writer.bytes
  }

  private static func compare(
    _ expected: [String: Int], _ got: [String: Int]
  ) -> [FixtureResult.LeftOut] {
    Set(expected.keys).union(got.keys).sorted().compactMap { reason in
      let (before, now) = (expected[reason] ?? 0, got[reason] ?? 0)
      return before == now
        ? nil : FixtureResult.LeftOut(reason: reason, expected: before, got: now)
    }
  }
}

/// A document at hand on its way through a mapper.
private struct DocumentRun {
  let input: FeedInput
  let mapper: FeedMapper

  func run() throws(HostError) {
    guard case .bytes(let bytes, _) = input.origin else { return }
    try unsafe bytes.withUnsafeBytes { all -> Result<Void, HostError> in
      do throws(HostError) {
        return .success(try unsafe mapper.append(all))
      } catch {
        return .failure(error)
      }
    }.get()
    try mapper.finish()
  }
}
