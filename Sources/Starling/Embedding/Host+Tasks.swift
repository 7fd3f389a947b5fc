extension Host {
  /// Runs a script to its end, or until the task that waits for it is canceled: the script then ends
  /// within some 10 ms, whatever it does, and what it left half-done is rolled back.
  ///
  /// It runs where the caller does, on the actor that owns the host, which does nothing else meanwhile.
  /// - Throws: as `run(_:io:stop:)`; of kind `canceled` when the task is canceled, also before it began.
  @discardableResult
  nonisolated(nonsending) public func run(
    cancelable script: Script, io: ScriptIO = .standard()
  ) async throws(HostError) -> Int32 {
    let stop = StopHandle()
    let result = await withTaskCancellationHandler { () -> Result<Int32, HostError> in
      do throws(HostError) {
        return .success(try run(script, io: io, stop: stop))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      stop.stop()
    }
    return try result.get()
  }
}
