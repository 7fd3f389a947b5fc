import StarlingFetch

extension FeedInput {
  /// What is known of a document when its first byte comes.
  struct Head {
    var url: String?
    var contentType: String?
  }

  /// What a server said of the document, for the next request.
  struct Response: Sendable {
    var etag: String?
    var lastModified: String?
    var retryAfterSeconds: Int?
    /// Nothing is new since the `validators`; there was no document then.
    var isNotModified = false
  }
}

extension Host {
  /// Reads a document in pieces. `start` is called once, before the first piece and also when there
  /// is none; but not for a document that is not modified.
  ///
  /// - Parameter isCanceled: asked while the network or standard input is waited for.
  /// - Returns: what the server said; nil for what comes from none.
  @discardableResult
  func read(
    _ input: FeedInput, isCanceled: @escaping () -> Bool = { false },
    start: (FeedInput.Head) throws(HostError) -> Void,
    piece: (UnsafeRawBufferPointer) throws(HostError) -> Void
  ) throws(HostError) -> FeedInput.Response? {
    switch input.origin {
    case .file(let path):
      try start(FeedInput.Head())
      try unsafe Files.readPieces(path, piece)
    case .standardInput:
      try start(FeedInput.Head())
      while true {
        if isCanceled() { throw HostError(.canceled, "canceled", subject: input.name) }
        guard let bytes = try configuration.standardInput(64 << 10) else { continue }
        if bytes.isEmpty { break }
        try unsafe FeedInput.lend(bytes, to: piece)
      }
    case .bytes(let bytes, _):
      try start(FeedInput.Head())
      try unsafe FeedInput.lend(bytes, to: piece)
    case .url(let url):
      return try unsafe input.fetch(url, fetcher, isCanceled, start, piece)
    }
    return nil
  }
}

extension FeedInput {
  fileprivate static func lend(
    _ bytes: [UInt8], to piece: (UnsafeRawBufferPointer) throws(HostError) -> Void
  ) throws(HostError) {
    // A closure with a typed error cannot be passed to `withUnsafeBytes` as it is.
    var failure: HostError?
    unsafe bytes.withUnsafeBytes { all in
      do throws(HostError) {
        try unsafe piece(all)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  fileprivate func fetch(
    _ url: String, _ fetcher: Fetcher, _ isCanceled: @escaping () -> Bool,
    _ start: (Head) throws(HostError) -> Void,
    _ piece: (UnsafeRawBufferPointer) throws(HostError) -> Void
  ) throws(HostError) -> Response {
    var request = FetchRequest(url: url)
    request.etag = validators.etag
    request.lastModified = validators.lastModified
    request.isCancelled = isCanceled
    var failure: HostError?
    var isStarted = false
    var answer = Response()
    do throws(FetchError) {
      let response = try unsafe fetcher.get(request) { response, bytes in
        do throws(HostError) {
          if !isStarted {
            isStarted = true
            try start(Head(url: response.url, contentType: response.contentType))
          }
          try unsafe piece(bytes)
          return true
        } catch {
          failure = error
          return false
        }
      }
      answer.etag = response.etag
      answer.lastModified = response.lastModified
      answer.retryAfterSeconds = response.retryAfterSeconds
      answer.isNotModified = response.isNotModified
      if !isStarted, !response.isNotModified {
        try startEmpty(start, Head(url: response.url, contentType: response.contentType), &failure)
      }
    } catch {
      if let failure { throw failure }
      throw HostError(isCanceled() ? .canceled : .host, error.description, cause: error)
    }
    if let failure { throw failure }
    return answer
  }

  private func startEmpty(
    _ start: (Head) throws(HostError) -> Void, _ head: Head, _ failure: inout HostError?
  ) throws(FetchError) {
    do throws(HostError) {
      try start(head)
    } catch {
      failure = error
    }
  }
}
