import StarlingFavorites

/// What is written before it may be shown, such as the entries of a feed whose title may still come:
/// in memory up to a limit, beyond it in a temporary file without a name.
final class OutputSpool {
  private let memoryLimitBytes: Int
  private var buffer: [UInt8] = []
  private var file: Int32 = -1

  init(memoryLimitBytes: Int = 4 << 20) {
    self.memoryLimitBytes = memoryLimitBytes
  }

  deinit {
    if file >= 0 { Files.closeTemporary(file) }
  }

  func append(_ bytes: [UInt8]) throws(HostError) {
    buffer.append(contentsOf: bytes)
    if buffer.count > memoryLimitBytes { try flush() }
  }

  /// Gives all that was written, in pieces.
  func forEach(_ body: ([UInt8]) -> Void) throws(HostError) {
    if file >= 0 {
      try flush()
      guard Files.rewind(file) else { throw OutputSpool.failure(Files.lastReason()) }
      while true {
        guard let piece = Files.read(file, atMost: 64 << 10) else {
          throw OutputSpool.failure(Files.lastReason())
        }
        if piece.isEmpty { return }
        body(piece)
      }
    }
    body(buffer)
  }

  private func flush() throws(HostError) {
    if file < 0 {
      do throws(FavoritesError) {
        file = try EntitySpool.makeFile()
      } catch {
        throw HostError(.host, error.description, cause: error)
      }
    }
    guard Files.write(buffer, to: file) else { throw OutputSpool.failure(Files.lastReason()) }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func failure(_ reason: String) -> HostError {
    HostError(.host, "cannot keep what is decoded in a temporary file: \(reason)")
  }
}

@available(*, unavailable)
extension OutputSpool: Sendable {}
