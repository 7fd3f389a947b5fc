/// What a server said of the document that it sends.
package struct FetchResponse: Hashable, Sendable {
  /// 200, or 304 when the caller's `etag` or `lastModified` still holds; there is no body then.
  package var status: Int
  /// Where the document came from after all redirects.
  package var url: String
  /// The whole `Content-Type`, such as `application/rss+xml; charset=gbk`.
  package var contentType: String?
  /// To be sent with the next request, as the server wrote them.
  package var etag: String?
  package var lastModified: String?
  /// Seconds until the server wants to be asked again (`Retry-After`), when it says so in seconds.
  package var retryAfterSeconds: Int?
  /// Bytes of the body so far, decompressed.
  package var byteCount = 0

  package var isNotModified: Bool { status == 304 }

  /// The character set that `contentType` names, as written; nil when it names none.
  package var charset: String? {
    guard let contentType else { return nil }
    for part in contentType.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, FetchResponse.trimmed(pair[0]).lowercased() == "charset" else {
        continue
      }
      let value = FetchResponse.trimmed(pair[1]).filter { $0 != "\"" && $0 != "'" }
      return value.isEmpty ? nil : value
    }
    return nil
  }

  init(status: Int, url: String) {
    self.status = status
    self.url = url
  }

  /// Takes a header line (RFC 9112, 5). A status line begins a new head: what an interim response
  /// (100, 103) said does not count.
  mutating func take(headerLine line: Substring) {
    if line.hasPrefix("HTTP/") {
      let code = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      self = FetchResponse(status: code ?? 0, url: url)
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = FetchResponse.trimmed(line[line.index(after: colon)...])
    guard !value.isEmpty else { return }
    switch line[..<colon].lowercased() {
    case "content-type": contentType = value
    case "etag": etag = value
    case "last-modified": lastModified = value
    case "retry-after": retryAfterSeconds = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    default: break
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character.isWhitespace }
    guard let first = text.firstIndex(where: { !isBlank($0) }),
      let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }
}
