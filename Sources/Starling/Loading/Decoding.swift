import StarlingFeeds
import StarlingModel

/// A feed as `starling decode` prints it.
public struct DecodedFeed: Sendable {
  /// One JSON object in UTF-8.
  public var json: [UInt8]
  /// What was wrong with the document, one line each.
  public var damage: [String]
  /// Whether the document ends before its end.
  public var isCut: Bool
}

extension Host {
  /// Decodes a feed without a plugin.
  public func decode(_ input: FeedInput) throws(HostError) -> DecodedFeed {
    var json: [UInt8] = []
    let decoder = try write(input) { json += $0 }
    return DecodedFeed(
      json: json, damage: decoder.damage.map(\.description), isCut: decoder.isCut)
  }

  /// The same, giving the JSON in pieces once the feed is known to be one: memory does not grow with
  /// a feed in XML.
  ///
  /// - Returns: what was wrong with the document, and whether it ends before its end.
  public func decode(
    _ input: FeedInput, to output: ([UInt8]) -> Void
  ) throws(HostError) -> (damage: [String], isCut: Bool) {
    let decoder = try write(input, output)
    return (decoder.damage.map(\.description), decoder.isCut)
  }

  private func write(
    _ input: FeedInput, _ output: ([UInt8]) -> Void
  ) throws(HostError) -> FeedDecoder {
    var decoder = FeedDecoder()
    let spool = OutputSpool()
    var entries = JSONWriter()
    var item = Item()
    let drain = { () throws(HostError) in
      while decoder.next(into: &item) { FeedJSON.write(item, to: &entries) }
      try spool.append(entries.take())
    }
    try unsafe read(
      input,
      start: { head throws(HostError) in
        decoder = FeedDecoder(
          FeedOptions(
            url: input.url ?? head.url, contentType: input.contentType ?? head.contentType,
            charset: input.charset))
      },
      piece: { bytes throws(HostError) in
        do throws(FeedError) {
          try unsafe decoder.append(bytes)
        } catch {
          throw HostError(error, input)
        }
        try drain()
      })
    do throws(FeedError) {
      try decoder.finish()
    } catch {
      throw HostError(error, input)
    }
    try drain()
    // The title may come behind the entries.
    var frame = JSONWriter()
    FeedJSON.begin(decoder.header, to: &frame)
    output(frame.take())
    try spool.forEach(output)
    FeedJSON.end(&frame)
    output(frame.take())
    return decoder
  }

  /// Reads a document as one strict JSON value (RFC 8259) and gives it back in compact form, in
  /// pieces.
  public func jsonValue(_ input: FeedInput, to output: ([UInt8]) -> Void) throws(HostError) {
    let bytes = try whole(input).bytes
    do throws(FeedError) {
      try CompactJSON.write(bytes, to: output)
    } catch {
      throw HostError(error, input)
    }
  }
}

extension HostError {
  /// Why a document is refused.
  init(_ error: FeedError, _ input: FeedInput) {
    self.init(.feed, error.description, subject: input.name, cause: error)
  }
}
