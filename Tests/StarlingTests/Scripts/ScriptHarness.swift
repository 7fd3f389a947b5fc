import StarlingFavorites
import StarlingLua
import StarlingModel

@testable import Starling

/// A script's session over a store in memory, with its streams in arrays.
final class ScriptHarness {
  static let kinds: [KindDeclaration] = [
    KindDeclaration(
      "news", key: .fields(["link"]),
      fields: [
        Field("link", .url), Field("title", .text), Field("summary", .text),
        Field("author", .text), Field("image", .url), Field("categories", .list),
        Field("published", .time),
      ], indexes: ["published", "title"]),
    KindDeclaration(
      "post", key: .fields(["site", "id"]),
      fields: [
        Field("site", .text), Field("id", .text), Field("title", .text), Field("url", .url),
        Field("author", .text), Field("likes", .integer), Field("published", .time),
      ], indexes: ["published"]),
    KindDeclaration(
      "car_type", key: .fields(["site", "uid"]),
      fields: [
        Field("site", .text), Field("uid", .text), Field("name", .text),
        Field("energy", .text), Field("price", .money), Field("url", .url),
        Field("electric", .boolean), Field("weight", .real),
      ], indexes: ["price"]),
    KindDeclaration(
      "person", key: .auto, fields: [Field("name", .text), Field("age", .integer)], indexes: []),
  ]

  let store: FavoritesStore
  let session: ScriptSession
  private let streams = Streams()
  /// Seconds since the epoch; grows with each question, so that orders are sure.
  private static let now: Int64 = 1_780_000_000

  private final class Streams {
    var output: [UInt8] = []
    var error: [UInt8] = []
    var input: [[UInt8]] = []
    var isClosed = false
    var log: [LogLine] = []
  }

  init(
    store: FavoritesStore? = nil, input: [String] = [], permissions: Permissions = .none,
    limits: Limits = .script, name: String = "test.lua"
  ) throws {
    var model = KindModel()
    try model.merge(Self.kinds, from: "test")
    let options = StoreOptions(clock: { Timestamp(secondsSinceEpoch: Self.now) })
    let store = try store ?? FavoritesStore(.memory, model: model, options: options)
    self.store = store
    streams.input = input.map { Array($0.utf8) }
    let streams = streams
    let io = ScriptIO(
      write: { piece in
        if streams.isClosed { return false }
        streams.output += piece
        return true
      },
      writeError: { streams.error += $0 },
      read: { _ in streams.input.isEmpty ? [] : streams.input.removeFirst() })
    let environment = ApiEnvironment(
      context: .script, name: name, clock: { Timestamp(secondsSinceEpoch: Self.now) },
      log: { streams.log.append($0) })
    session = try ScriptSession(
      environment, io: io, permissions: permissions, limits: limits,
      store: StoreBinding.Access(open: { store }, openWithPlugins: { store }),
      origin: .script(name: name))
  }

  var output: String { String(decoding: streams.output, as: UTF8.self) }
  var errors: String { String(decoding: streams.error, as: UTF8.self) }
  var log: [LogLine] { streams.log }

  /// From now on nobody reads the output.
  func closePipe() { streams.isClosed = true }

  /// The values that a chunk returns.
  @discardableResult
  func run(_ source: String) throws(LuaError) -> [LuaValue] {
    defer { session.script.store?.endEntry() }
    let chunk = try session.state.load(source, name: "test.lua")
    return try session.state.call(chunk) { results throws(LuaError) in
      var values: [LuaValue] = []
      for position in 1...max(1, results.count) where position <= results.count {
        values.append(try results[position].copy())
      }
      return values
    }
  }

  /// The value of an expression.
  func value(_ expression: String) throws(LuaError) -> LuaValue {
    try run("return " + expression).first ?? .nil
  }

  /// The message of the error that a chunk raises; nil when it raises none.
  func failure(_ source: String) -> String? {
    do {
      try run(source)
      return nil
    } catch {
      return error.description
    }
  }

  /// Runs a script to its end.
  func status(_ source: String, arguments: [String] = []) throws -> Int32? {
    try session.run(
      Array(source.utf8), name: "test.lua",
      arguments: arguments.map { Array($0.utf8) })
  }
}
