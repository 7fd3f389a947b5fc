import CCurl

/// Gets documents over HTTP with libcurl, one at a time.
///
/// libcurl is loaded by the first request. Connections stay open for the next one. A fetcher has
/// one owner and blocks it; it is not Sendable.
@safe
package final class Fetcher {
  private let userAgent: String
  private var curl: OpaquePointer?

  /// - Parameter version: of the program; the server sees `starling/VERSION`.
  package init(version: String) {
    userAgent = "starling/" + version
  }

  deinit {
    if let curl = unsafe curl { unsafe starling_curl_close(curl) }
  }

  /// Gets a document and hands its bytes on as they come.
  ///
  /// - Parameter body: takes each piece of the body, with what is known of the response; returns
  ///   false to end the request (`cancelled`). It is not called for an empty body.
  /// - Returns: the response, when all of it has come; its status is 2xx or 304.
  package func get(
    _ request: FetchRequest, body: (FetchResponse, UnsafeRawBufferPointer) -> Bool
  ) throws(FetchError) -> FetchResponse {
    var url = request.url
    for _ in 0...max(0, request.redirectLimit) {
      guard Fetcher.scheme(of: url) != nil else { throw .badURL(url) }
      switch try unsafe perform(request, url: url, body: body) {
      case .response(let response): return response
      case .redirect(let target):
        guard Fetcher.scheme(of: target) == "https" || Fetcher.scheme(of: url) == "http",
          Fetcher.scheme(of: target) != nil, request.allowsRedirect(target)
        else { throw .refusedRedirect(url: url, to: target) }
        url = target
      }
    }
    throw .tooManyRedirects(url: request.url, limit: request.redirectLimit)
  }

  private enum Step {
    case response(FetchResponse)
    case redirect(String)
  }

  private func perform(
    _ request: FetchRequest, url: String,
    body: (FetchResponse, UnsafeRawBufferPointer) -> Bool
  ) throws(FetchError) -> Step {
    let curl = try unsafe loaded()
    var result = unsafe starling_curl_result()
    // The transfer ends inside: it holds `body`, which must not outlive this call.
    let (response, error) = unsafe withoutActuallyEscaping(body) { body in
      let transfer = unsafe Transfer(request, url: url, body: body)
      unsafe transfer.run(curl, userAgent: userAgent, &result)
      return (transfer.response, transfer.error)
    }
    if let error { throw error }
    guard unsafe result.code == CURLE_OK else {
      throw unsafe FetchError(result, url: url, request: request)
    }
    if (300..<400).contains(response.status), let target = unsafe result.redirect_url {
      return .redirect(unsafe String(cString: target))
    }
    guard (200..<300).contains(response.status) || response.isNotModified else {
      throw .status(response.status, url: url)
    }
    return .response(response)
  }

  private func loaded() throws(FetchError) -> OpaquePointer {
    if let curl = unsafe curl { return unsafe curl }
    var message: UnsafePointer<CChar>?
    guard let opened = unsafe starling_curl_open(&message) else {
      let detail = unsafe message.map { unsafe String(cString: $0) } ?? "libcurl.so.4"
      throw .libraryMissing(detail)
    }
    unsafe curl = opened
    return unsafe opened
  }

  /// The scheme in lower case, when it is one that is fetched.
  private static func scheme(of url: String) -> String? {
    let lower = url.prefix(8).lowercased()
    return lower == "https://" ? "https" : lower.hasPrefix("http://") ? "http" : nil
  }
}

@available(*, unavailable)
extension Fetcher: Sendable {}
