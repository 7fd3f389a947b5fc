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
    var decoder: FeedDecoder?
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
          try unsafe decoder?.append(bytes)
        } catch {
          throw HostError(error, input)
        }
      })
    guard let decoder else { return DecodedFeed(json: [], damage: [], isCut: false) }
    do throws(FeedError) {
      try decoder.finish()
    } catch {
      throw HostError(error, input)
    }
    var json = JSONWriter()
    FeedJSON.write(decoder, to: &json)
    return DecodedFeed(
      json: json.bytes, damage: decoder.damage.map(\.description), isCut: decoder.isCut)
  }

  /// Reads a document as one strict JSON value (RFC 8259) and gives it back in compact form.
  public func jsonValue(_ input: FeedInput) throws(HostError) -> [UInt8] {
    let bytes = try whole(input).bytes
    do throws(FeedError) {
      return try CompactJSON.text(of: bytes)
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
