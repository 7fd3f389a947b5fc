/// What is known about a document from outside of it.
package struct FeedOptions: Sendable {
  /// Where the document was read from; relative links are resolved against it.
  package var url: String?
  /// The value of the HTTP header Content-Type as received; its charset counts.
  package var contentType: String?
  /// The charset that the source's configuration names; only a byte order mark beats it.
  package var charset: String?

  /// An empty text counts as absent.
  package init(url: String? = nil, contentType: String? = nil, charset: String? = nil) {
    self.url = url.flatMap { $0.isEmpty ? nil : $0 }
    self.contentType = contentType.flatMap { $0.isEmpty ? nil : $0 }
    self.charset = charset.flatMap { $0.isEmpty ? nil : $0 }
  }
}
