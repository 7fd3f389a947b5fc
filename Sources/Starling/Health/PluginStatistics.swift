import StarlingFavorites
public import StarlingModel

/// What a plugin did since its text last changed, in all processes that used this database.
public struct PluginStatistics: Sendable, Equatable {
  /// Calls into its Lua: `accepts`, `items` and `map`.
  public var calls: Int
  /// Of one call, to within an eighth.
  public var median: Duration
  /// Of one call.
  public var worst: Duration
  /// The most bytes that its Lua state held.
  public var peakMemoryBytes: Int
  /// How often it was stopped for time or memory.
  public var stops: Int
  public var lastError: String?
  public var lastErrorAt: Timestamp?

  init(_ record: PluginRecord) {
    calls = record.calls
    median = .nanoseconds(Int64(clamping: record.times.median))
    worst = .nanoseconds(Int64(clamping: record.times.worst))
    peakMemoryBytes = record.peakMemory
    stops = record.stops
    lastError = record.lastError
    lastErrorAt = record.lastErrorAt.map { Timestamp(secondsSinceEpoch: $0) }
  }
}

extension Host {
  /// What a plugin did; nil when nothing is known of its text.
  public func statistics(of plugin: Plugin) -> PluginStatistics? {
    guard let record = health?.record(plugin.name),
      record.fingerprint == plugin.sources.fingerprint
    else { return nil }
    return PluginStatistics(record)
  }

  /// Lets a plugin that was stopped too often be used again.
  ///
  /// - Returns: whether it was in quarantine.
  public func liftQuarantine(of name: String) throws(HostError) -> Bool {
    let store = try store()
    do throws(FavoritesError) {
      let wasLifted = try PluginHealth(store: store, clock: configuration.clock).lift(name)
      if wasLifted { forgetPlugins() }
      return wasLifted
    } catch {
      throw HostError(error)
    }
  }

  /// The records in the database; nil where there is none yet, so that looking at plugins makes
  /// none.
  var health: PluginHealth? {
    if case .file(let path) = configuration.database, Files.entry(path) == nil { return nil }
    guard let store = try? store() else { return nil }
    return PluginHealth(store: store, clock: configuration.clock)
  }
}
