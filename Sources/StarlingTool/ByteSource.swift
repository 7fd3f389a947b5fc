/// Where input comes from: a descriptor, or memory for tests.
package final class ByteSource {
  private let descriptor: Int32?
  private var remaining: ArraySlice<UInt8>

  package init(descriptor: Int32) {
    self.descriptor = descriptor
    remaining = []
  }

  /// A source in memory.
  package init(_ bytes: [UInt8] = []) {
    descriptor = nil
    remaining = bytes[...]
  }

  /// Reads what is there, up to `limit` bytes; waits when there is nothing yet.
  ///
  /// - Returns: an empty array at the end.
  /// - Throws: `ToolError` naming standard input.
  package func read(upTo limit: Int = 1 << 16) throws(ToolError) -> [UInt8] {
    guard let descriptor else {
      defer { remaining = remaining.dropFirst(limit) }
      return Array(remaining.prefix(limit))
    }
    return try Terminal.read(upTo: limit, from: descriptor)
  }

  /// Reads what comes within a fifth of a second, up to `limit` bytes.
  ///
  /// - Returns: an empty array at the end, nil when nothing came.
  /// - Throws: `ToolError` naming standard input.
  package func poll(upTo limit: Int = 1 << 16) throws(ToolError) -> [UInt8]? {
    if let descriptor, !Terminal.isReady(descriptor, withinMilliseconds: 200) { return nil }
    return try read(upTo: limit)
  }
}
