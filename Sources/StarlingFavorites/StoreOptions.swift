import Glibc
public import StarlingModel

/// How a store is opened and whom it takes for the one who acts.
public struct StoreOptions {
  /// The present time; asked once for each change.
  public var clock: () -> Timestamp
  /// Opens the file for looking only; a missing file is then an error.
  public var readOnly: Bool
  /// Whether missing folders of the path are made (mode 0700).
  public var createFolders: Bool
  /// How long to wait for another process that writes.
  public var busyTimeout: Duration
  /// Who acts where a call does not say.
  public var who: Cause.Origin
  /// Told each step while the store is opened and while it takes in kinds, where that is done.
  public var progress: (StoreStep) -> Void
  /// Seconds that an entity is kept after a feed last had it; see `FavoritesStore.prune`.
  public var keepSeconds: Int64

  public init(
    clock: @escaping () -> Timestamp = StoreOptions.systemClock, readOnly: Bool = false,
    createFolders: Bool = true, busyTimeout: Duration = .seconds(30), who: Cause.Origin = .hand,
    progress: @escaping (StoreStep) -> Void = { _ in }, keepSeconds: Int64 = 90 * 86400
  ) {
    self.clock = clock
    self.readOnly = readOnly
    self.createFolders = createFolders
    self.busyTimeout = busyTimeout
    self.who = who
    self.progress = progress
    self.keepSeconds = keepSeconds
  }

  /// The system's clock, in UTC.
  public static func systemClock() -> Timestamp {
    Timestamp(secondsSinceEpoch: Int64(time(nil)))
  }
}

extension FavoritesStore {
  /// Where the database is.
  public enum Location: Hashable, Sendable {
    case file(String)
    /// In memory, gone with the store.
    case memory
  }
}
