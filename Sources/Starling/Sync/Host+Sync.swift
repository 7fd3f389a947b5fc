import StarlingModel

/// What came of asking a source.
public enum SyncOutcome: Sendable {
  case loaded(LoadReport)
  /// The server says that nothing is new since the last time.
  case notModified
}

extension Host {
  /// Loads a source as `load` does, and remembers when, and what the server said for the next time.
  ///
  /// - Parameters:
  ///   - source: one of the configuration, or the app's own.
  ///   - rules: decide what is starred; nil stars nothing.
  ///   - isForced: loads it also when the server would say that nothing is new: for a plugin or rules
  ///     that changed.
  ///   - progress: told after each piece of the document.
  ///   - isCanceled: asked after each piece and each item; true ends the load, and nothing is written.
  ///     When left out: whether the task was canceled.
  public func sync(
    _ source: FeedSource, rules: RuleSet? = nil, isForced: Bool = false,
    progress: (LoadProgress) -> Void = { _ in },
    isCanceled: @escaping () -> Bool = { Task.isCancelled }
  ) throws(HostError) -> SyncOutcome {
    var state = try state(of: source)
    var input = source.input
    if !isForced {
      input.validators = FeedInput.Validators(etag: state.etag, lastModified: state.lastModified)
    }
    state.askedAt = configuration.clock()
    do throws(HostError) {
      let report = try load(
        input, plugin: source.plugin, rules: rules, progress: progress, isCanceled: isCanceled)
      state.failure = nil
      state.notBefore = report.response?.retryAfterSeconds.map { state.askedAt.after($0) }
      if report.response?.isNotModified == true {
        try remember(state, of: source)
        return .notModified
      }
      // What failed in part is to be tried again, also when the server has nothing new.
      state.etag = report.isComplete ? report.response?.etag : nil
      state.lastModified = report.isComplete ? report.response?.lastModified : nil
      try remember(state, of: source)
      return .loaded(report)
    } catch {
      if error.kind != .canceled, error.kind != .database {
        state.failure = error.description
        try remember(state, of: source)
      }
      throw error
    }
  }
}

extension Optional where Wrapped == Timestamp {
  /// At most a day: a server that wants to be left alone for longer is asked once a day.
  fileprivate func after(_ seconds: Int) -> Timestamp {
    Timestamp(secondsSinceEpoch: (self?.secondsSinceEpoch ?? 0) + Int64(min(seconds, 86400)))
  }
}
