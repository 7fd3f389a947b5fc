import StarlingFavorites
import StarlingLua
import StarlingModel
import StarlingTestSupport
import Testing

@testable import Starling

/// The places where Lua code of strangers, or of the user, runs.
enum AttackPlace: String, CaseIterable, Sendable {
  case load
  case accepts
  case items
  case map
  case rules
  case when
  case configuration
  case script
  case console

  static let limits = Limits(time: .milliseconds(40), memoryBytes: 24 << 20)

  /// How an attack ended.
  struct Outcome {
    var kind: HostError.Kind?
    var message = "nothing was raised"
    /// Processor time, so that a busy machine makes no difference.
    var time: Duration = .zero
  }

  /// Runs an attack here, then what follows it: the next plugin, the next chunk. Checks that the
  /// database is whole.
  func run(_ attack: Attack) throws -> Outcome {
    let arena = try AttackArena(attack, in: self)
    let start = ProcessorTime.now()
    var outcome = try arena.attack()
    outcome.time = ProcessorTime.now() - start
    try arena.expectNoHarm()
    return outcome
  }

  #if DEBUG
    /// Unoptimized code is slow to begin (a store, a registry, a state), and takes a tenth of a second
    /// for one look at a text of 4 MB.
    private static let allowance = Duration.seconds(1)
  #else
    private static let allowance = Duration.milliseconds(50)
  #endif

  /// Runs an attack here and expects the ending that it should have.
  func expect(_ attack: Attack) throws {
    var outcome = try run(attack)
    if case .saying = attack.ending {
      // On a busy machine the time may be over before anything is said.
      for _ in 0..<30 where outcome.kind == .time || outcome.kind == nil {
        outcome = try run(attack)
      }
    }
    let context = "\(rawValue): \(attack.name): \(outcome.message)"
    #expect(outcome.time < Self.limits.time + Self.allowance, "\(context)")
    switch attack.ending {
    case .soon: break
    case .stopped: #expect(outcome.kind == .time || outcome.kind == .memory, "\(context)")
    case .saying(let text): #expect(outcome.message.contains(text), "\(context)")
    }
  }
}

/// A host with a hostile plugin and a harmless one, and a store that holds something.
private final class AttackArena {
  private let attackSource: Attack
  private let place: AttackPlace
  private let folder = TemporaryFolder()
  private let host: Host
  private var session: ScriptSession?

  init(_ attack: Attack, in place: AttackPlace) throws {
    attackSource = attack
    self.place = place
    folder.write("attack.lua", AttackArena.plugin(attack, place))
    folder.write("innocent.lua", AttackArena.plugin(Attack("none", .soon, ""), nil))
    host = Host(
      Host.Configuration(
        database: .memory, pluginFolders: [folder.path], limits: AttackPlace.limits,
        scriptLimits: AttackPlace.limits,
        clock: { Timestamp(secondsSinceEpoch: 1_800_000_000) }))
    // What there was before must be there after.
    guard place != .load else { return }
    _ = try patiently { try host.load(input("before"), plugin: "innocent") }
  }

  private static func plugin(_ attack: Attack, _ place: AttackPlace?) -> String {
    let name = place == nil ? "good" : "bad"
    func call(_ here: AttackPlace) -> String { place == here ? "attack()" : "" }
    let answer = "local found = attack() if found ~= nil then return found end"
    return """
      --- @api 1
      --- @summary \(name)
      local M = {}
      M.kinds = { \(name) = { key = "id", fields = { id = "text" } } }
      local function attack() \(attack.source) end
      \(call(.load))
      function M.accepts(feed) \(call(.accepts)) return true end
      function M.items(feed) \(place == .items ? answer : "") return feed.body end
      function M.map(item) \(place == .map ? answer : "") return { id = item.id } end
      return M
      """
  }

  private func input(_ id: String) -> FeedInput {
    FeedInput(.bytes(Array("[{\"id\":\"\(id)\"}]".utf8), name: "feed"))
  }

  // MARK: The attack

  func attack() throws -> AttackPlace.Outcome {
    do {
      switch place {
      case .load: _ = try host.plugin(named: "attack")
      case .accepts: return outcome(try host.load(input("1")))
      case .items, .map: return outcome(try host.load(input("1"), plugin: "attack"))
      case .rules: _ = try rules("local function attack() \(attackSource.source) end attack()")
      case .when:
        let rules = try rules(
          """
          local function attack() \(attackSource.source) end
          rule "r" { when = function(entity) return attack() ~= nil end, star }
          """)
        return outcome(try host.load(input("1"), plugin: "innocent", rules: rules))
      case .configuration:
        _ = try ConfigurationLoader(limits: AttackPlace.limits, clock: host.configuration.clock)
          .load(source: Array(attackSource.source.utf8), file: "init.lua")
      case .script: try host.run(Script([.code(attackSource.source)]), io: AttackArena.silent)
      case .console: try console(attackSource.source)
      }
      return AttackPlace.Outcome()
    } catch let error as HostError {
      return AttackPlace.Outcome(kind: error.kind, message: error.description)
    } catch let error as RulesError {
      let text = error.faults.map(\.description).joined(separator: "; ")
      let isStop = text.contains("its time was over") || text.contains("not enough memory")
      return AttackPlace.Outcome(kind: isStop ? .time : .script, message: text)
    } catch let error as LuaError {
      let error = HostError(error)
      return AttackPlace.Outcome(kind: error.kind, message: error.description)
    }
  }

  private func outcome(_ report: Starling.LoadReport) -> AttackPlace.Outcome {
    var outcome = AttackPlace.Outcome()
    if let failure = report.failures.first?.error {
      outcome.kind = failure.kind
      outcome.message = failure.description
    } else if let failure = report.ruleFailures.first {
      outcome.kind = .script
      outcome.message = failure.fault.description
    }
    return outcome
  }

  private func rules(_ text: String) throws -> RuleSet {
    try RuleLoader(limits: AttackPlace.limits, clock: host.configuration.clock)
      .load(source: Array(text.utf8), file: "rules.lua")
  }

  private static var silent: ScriptIO {
    ScriptIO(write: { _ in true }, writeError: { _ in }, read: { _ in [] })
  }

  private func console(_ source: String) throws {
    if session == nil || session?.state.isLost == true {
      session?.close()
      session = try host.makeSession(
        name: "console", io: AttackArena.silent, limits: AttackPlace.limits,
        stop: StopHandle())
    }
    _ = try session?.run(Array(source.utf8), name: "console")
  }

  // MARK: Afterwards

  /// What is harmless ends in time, but for a machine so busy that it gets no turn.
  private func patiently<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<50 {
      do {
        return try body()
      } catch let error as HostError where error.kind == .time {
      } catch LuaError.interrupted(.time) {
      }
    }
    return try body()
  }

  func expectNoHarm() throws {
    let report = try patiently { try host.load(input("after"), plugin: "innocent") }
    #expect(report.failureCount == 0 && report.items == 1, "\(place): the next plugin")
    _ = try patiently {
      try host.run(Script([.code("assert(#{1, 2} == 2)")]), io: AttackArena.silent)
    }
    if place == .console { try patiently { try console("local t = { 1, 2 } return #t") } }
    session?.close()
    let store = try host.store()
    #expect(try store.check().isEmpty, "\(place): the database")
    let keys = try store.entities(Query(kind: "good")).map(\.key)
    #expect(keys.contains("after") && (place == .load || keys.contains("before")))
  }
}
