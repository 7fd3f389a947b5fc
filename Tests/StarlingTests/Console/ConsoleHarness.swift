import StarlingFavorites
import StarlingModel

@testable import Starling

/// A console's session over a store in memory.
final class ConsoleHarness {
  let host: Host
  let stop = StopHandle()
  let session: ConsoleSession
  private let streams = Streams()

  private final class Streams {
    var output: [UInt8] = []
    var log: [LogLine] = []
  }

  init(
    database: FavoritesStore.Location = .memory, limits: Limits = .script,
    functions: [AppFunction] = [], kinds: [KindDeclaration] = []
  ) throws {
    let streams = streams
    var configuration = Host.Configuration(
      database: database, scriptLimits: limits,
      clock: { Timestamp(secondsSinceEpoch: 1_780_000_000) }, log: { streams.log.append($0) })
    configuration.limits = .plugin
    configuration.kinds = kinds
    for function in functions { try configuration.add(function) }
    host = Host(configuration)
    var model = KindModel()
    try model.merge(ScriptHarness.kinds, from: "test")
    try host.store().register(model)
    let io = ScriptIO(write: { piece in
      streams.output += piece
      return true
    })
    session = try ConsoleSession(
      host: host, io: io, permissions: .none, stop: stop, introduction: { "introduction" })
  }

  var output: String { String(decoding: streams.output, as: UTF8.self) }
  var log: [LogLine] { streams.log }

  /// Runs a chunk for what it shows.
  @discardableResult
  func run(_ source: String) throws -> [ConsoleResult] {
    var results: [ConsoleResult] = []
    _ = try session.run(source, name: "console") { results += $0 }
    return results
  }

  /// The value of an expression.
  func value(_ expression: String) throws -> ConsoleValue? {
    try run("return " + expression).first?.value
  }

  func failure(_ source: String) -> String? {
    do {
      try run(source)
      return nil
    } catch {
      return String(describing: error)
    }
  }
}
