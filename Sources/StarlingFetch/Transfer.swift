import CCurl

/// One request on its way: what libcurl's callbacks write to.
@safe
final class Transfer {
  private(set) var response: FetchResponse
  /// Why a callback ended the request.
  private(set) var error: FetchError?

  private let request: FetchRequest
  private let url: String
  private let body: (FetchResponse, UnsafeRawBufferPointer) -> Bool

  init(
    _ request: FetchRequest, url: String,
    body: @escaping (FetchResponse, UnsafeRawBufferPointer) -> Bool
  ) {
    self.request = request
    self.url = url
    unsafe self.body = unsafe body
    response = FetchResponse(status: 0, url: url)
  }

  /// Performs the request; the callbacks run before it returns.
  func run(_ curl: OpaquePointer, userAgent: String, _ result: inout starling_curl_result) {
    let lines = request.headerLines
    unsafe Transfer.withCStrings(lines[...], []) { headers in
      unsafe url.withCString { url in
        unsafe userAgent.withCString { userAgent in
          unsafe headers.withUnsafeBufferPointer { headers in
            var request = unsafe starling_curl_request()
            unsafe request.url = url
            unsafe request.user_agent = userAgent
            unsafe request.headers = headers.baseAddress
            unsafe request.header_count = headers.count
            unsafe request.connect_timeout_ms = self.request.connectTimeoutMilliseconds
            unsafe request.timeout_ms = self.request.timeoutMilliseconds
            unsafe request.stall_seconds = self.request.stallSeconds
            unsafe request.context = Unmanaged.passUnretained(self).toOpaque()
            unsafe request.on_header = { unsafe Transfer.of($0)?.takeHeader($1, $2) ?? 0 }
            unsafe request.on_body = { unsafe Transfer.of($0)?.takeBody($1, $2) ?? 0 }
            unsafe request.is_cancelled = { unsafe Transfer.of($0)?.checkCancelled() ?? 1 }
            unsafe starling_curl_get(curl, &request, &result)
          }
        }
      }
    }
  }

  /// Lends the texts as C strings.
  private static func withCStrings(
    _ texts: ArraySlice<String>, _ done: [UnsafePointer<CChar>?],
    _ body: ([UnsafePointer<CChar>?]) -> Void
  ) {
    guard let first = texts.first else { return unsafe body(done) }
    unsafe first.withCString { pointer in
      unsafe withCStrings(texts.dropFirst(), done + [pointer], body)
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func takeHeader(_ bytes: UnsafePointer<CChar>?, _ length: Int) -> Int {
    let line = unsafe String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
    response.take(headerLine: line[...])
    return length
  }

  private func takeBody(_ bytes: UnsafePointer<CChar>?, _ length: Int) -> Int {
    // The pages of errors and redirects are nobody's document.
    guard (200..<300).contains(response.status) else { return length }
    let limit = request.sizeLimitBytes
    guard length <= limit - response.byteCount else {
      error = .tooLarge(url: url, limitBytes: limit)
      return 0
    }
    response.byteCount += length
    guard unsafe body(response, UnsafeRawBufferPointer(start: bytes, count: length)) else {
      error = .cancelled(url: url)
      return 0
    }
    return length
  }

  private func checkCancelled() -> Int32 {
    guard request.isCancelled() else { return 0 }
    error = .cancelled(url: url)
    return 1
  }
}

extension FetchError {
  /// What libcurl's code means (libcurl-errors).
  init(_ result: starling_curl_result, url: String, request: FetchRequest) {
    let detail = unsafe FetchError.message(of: result)
    switch unsafe result.code {
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: self = .badURL(url)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unresolved(url: url)
    case CURLE_COULDNT_CONNECT: self = .refused(url: url, detail: detail)
    case CURLE_OPERATION_TIMEDOUT:
      let milliseconds = FetchError.limit(detail, request)
      self = .timedOut(url: url, seconds: Double(milliseconds) / 1000)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
      self = .insecure(url: url, detail: detail)
    case CURLE_ABORTED_BY_CALLBACK: self = .cancelled(url: url)
    default: self = .failed(url: url, detail: detail)
    }
  }

  /// Which of the three limits was met: libcurl has one code for all.
  private static func limit(_ detail: String, _ request: FetchRequest) -> Int {
    if detail.hasPrefix("Connection time") || detail.hasPrefix("Resolving time") {
      return request.connectTimeoutMilliseconds
    }
    return detail.contains("too slow")
      ? request.stallSeconds * 1000 : request.timeoutMilliseconds
  }

  /// In one line.
  private static func message(of result: starling_curl_result) -> String {
    let text = unsafe withUnsafeBytes(of: result.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
