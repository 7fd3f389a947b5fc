extension JSONDocument {
  /// Parses RFC 8259 and nothing else, from an array.
  ///
  /// - Throws: as `init(parsing:)` of bytes does.
  package static func parse(_ bytes: [UInt8]) throws(FeedError) -> JSONDocument {
    var result: Result<JSONDocument, FeedError> = .failure(.empty)
    unsafe bytes.withUnsafeBytes { all in
      do throws(FeedError) {
        result = .success(try unsafe JSONDocument(parsing: all))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  /// The same without a copy, for as long as `body` takes.
  package static func withParsed(
    _ bytes: [UInt8], _ body: (JSONDocument) -> Void
  ) throws(FeedError) {
    var failure: FeedError?
    unsafe bytes.withUnsafeBytes { all in
      do throws(FeedError) {
        body(try unsafe JSONDocument(borrowing: all))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
