import Glibc
package import StarlingModel

/// The entities of a feed, mapped and waiting to be written.
///
/// A feed is read and mapped first and then written in one short transaction. Entities are kept
/// encoded in memory up to a limit, and beyond it in a temporary file without a name, so that memory
/// does not grow with the feed.
@safe
package final class EntitySpool {
  private let memoryLimitBytes: Int
  private var buffer: [UInt8] = []
  private var file: Int32 = -1
  private var fileBytes: Int64 = 0
  /// How many entities were appended.
  package private(set) var count = 0

  /// How many bytes they take.
  package var byteCount: Int64 { fileBytes + Int64(buffer.count) }

  package init(memoryLimitBytes: Int = 4 << 20) {
    self.memoryLimitBytes = memoryLimitBytes
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Appends one entity, with a number that the caller has for its kind, and its stars.
  ///
  /// - Parameter item: the item that it was made of, where that is to be known.
  /// - Throws: `spool` when the temporary file cannot be written.
  package func append(
    kind: Int, _ record: borrowing EntityRecord, stars: [RuleStar] = [], item: ContentHash? = nil
  ) throws(FavoritesError) {
    let start = buffer.count
    SpoolCoder.encode(kind: kind, record, stars, item, to: &buffer)
    count += 1
    guard buffer.count > memoryLimitBytes || (file >= 0 && buffer.count > 256 << 10) else {
      return
    }
    do { try flush() } catch {
      // What is not written stays for nobody: the caller gives up.
      buffer.removeSubrange(start...)
      count -= 1
      throw error
    }
  }

  /// Gives all entities in the order in which they came. The record is filled anew for each.
  package func forEach<Failure: Error>(
    wrapping wrap: (FavoritesError) -> Failure,
    _ body: (_ kind: Int, inout EntityRecord, [RuleStar], ContentHash?) throws(Failure) -> Void
  ) throws(Failure) {
    var record = EntityRecord()
    var window: [UInt8] = []
    var offset: Int64 = 0
    while offset < fileBytes {
      let used: Int
      do { used = try fill(&window, at: offset) } catch { throw wrap(error) }
      try SpoolCoder.decodeAll(window, upTo: used, &record, body)
      offset += Int64(used)
    }
    try SpoolCoder.decodeAll(buffer, upTo: buffer.count, &record, body)
  }

  package func forEach(
    _ body: (_ kind: Int, inout EntityRecord, [RuleStar], ContentHash?) throws(FavoritesError) ->
      Void
  ) throws(FavoritesError) {
    try forEach(wrapping: { $0 }, body)
  }

  private func flush() throws(FavoritesError) {
    if file < 0 { file = try EntitySpool.makeFile() }
    var written = 0
    while written < buffer.count {
      let result = unsafe buffer.withUnsafeBytes { bytes in
        unsafe write(file, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      guard result > 0 else {
        if result < 0, errno == EINTR { continue }
        throw .spool(reason: FavoritesStore.reason(errno))
      }
      written += result
    }
    fileBytes += Int64(written)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Reads whole entities from the file.
  ///
  /// - Returns: how many bytes of `window` they take.
  private func fill(_ window: inout [UInt8], at offset: Int64) throws(FavoritesError) -> Int {
    var size = 256 << 10
    while true {
      let wanted = Int(min(Int64(size), fileBytes - offset))
      if window.count != wanted { window = [UInt8](repeating: 0, count: wanted) }
      var read = 0
      while read < wanted {
        let result = unsafe window.withUnsafeMutableBytes { bytes in
          unsafe pread(
            file, bytes.baseAddress.map { unsafe $0 + read }, wanted - read, Int(offset) + read)
        }
        guard result > 0 else {
          if result < 0, errno == EINTR { continue }
          throw .spool(reason: result == 0 ? "it was cut" : FavoritesStore.reason(errno))
        }
        read += result
      }
      let used = SpoolCoder.wholeEntities(in: window)
      if used > 0 { return used }
      guard Int64(wanted) < fileBytes - offset else { throw .spool(reason: "it was damaged") }
      size *= 2
    }
  }

  /// A file that has no name already: it is gone with the process, however that ends.
  package static func makeFile() throws(FavoritesError) -> Int32 {
    let folder = TemporaryFiles.folder
    var template = Array((folder + "/starling-XXXXXX").utf8CString)
    let file = unsafe template.withUnsafeMutableBufferPointer { name -> Int32 in
      guard let base = name.baseAddress else { return -1 }
      let file = unsafe mkstemp(base)
      if file >= 0 { unsafe _ = unlink(base) }
      return file
    }
    guard file >= 0 else { throw .spool(reason: "\(folder): \(FavoritesStore.reason(errno))") }
    return file
  }
}

@available(*, unavailable)
extension EntitySpool: Sendable {}
