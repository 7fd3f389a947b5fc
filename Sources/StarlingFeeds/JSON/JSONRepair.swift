/// Reads JSON that may be damaged.
enum JSONRepair {
  static func document(
    _ bytes: [UInt8]
  ) throws(FeedError) -> (document: JSONDocument, damage: [FeedDamage]) {
    var result: Result<JSONDocument, FeedError> = .failure(.empty)
    unsafe bytes.withUnsafeBytes { all in
      do throws(FeedError) {
        result = .success(try unsafe JSONDocument(parsing: all))
      } catch {
        result = .failure(error)
      }
    }
    return (try result.get(), [])
  }
}
