/// A document to get, and the bounds of getting it.
package struct FetchRequest {
  /// An absolute http or https URL.
  package var url: String
  /// Sent as `If-None-Match` and `If-Modified-Since`: what the last response gave.
  package var etag: String?
  package var lastModified: String?
  package var connectTimeoutMilliseconds = 15_000
  /// For each request of a chain of redirects.
  package var timeoutMilliseconds = 60_000
  /// Given up when not a byte comes for so long.
  package var stallSeconds = 30
  /// Of the decompressed body.
  package var sizeLimitBytes = 64 << 20
  package var redirectLimit = 10
  /// Whether a redirect may lead to this URL. A redirect from https to http never may.
  package var allowsRedirect: (_ url: String) -> Bool = { _ in true }
  /// Asked about once a second, and with each piece.
  package var isCancelled: () -> Bool = { false }

  package init(url: String) {
    self.url = url
  }

  /// The header lines of the request.
  var headerLines: [String] {
    var lines = [
      "Accept: application/atom+xml, application/rss+xml, application/feed+json, "
        + "application/json;q=0.9, application/xml;q=0.9, */*;q=0.8"
    ]
    if let etag, FetchRequest.isOneLine(etag) { lines.append("If-None-Match: " + etag) }
    if let lastModified, FetchRequest.isOneLine(lastModified) {
      lines.append("If-Modified-Since: " + lastModified)
    }
    return lines
  }

  /// A stored value with a line end in it would add headers of its own.
  private static func isOneLine(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
