/// Why a URL could not be fetched. Its description is one line; passwords in URLs are left out.
package enum FetchError: Error, Hashable, Sendable {
  /// libcurl is not there; the text is the loader's.
  case libraryMissing(String)
  /// No URL that can be fetched: not http or https, or malformed.
  case badURL(String)
  case unresolved(url: String)
  /// Nothing accepted the connection.
  case refused(url: String, detail: String)
  case timedOut(url: String, seconds: Double)
  /// TLS failed; mostly a certificate that is expired or belongs to another host.
  case insecure(url: String, detail: String)
  /// An HTTP status of 400 or more, or another one that has no document.
  case status(Int, url: String)
  /// More redirects than allowed.
  case tooManyRedirects(url: String, limit: Int)
  /// A redirect from https to http, to another scheme, or to where the caller does not go.
  case refusedRedirect(url: String, to: String)
  case tooLarge(url: String, limitBytes: Int)
  /// The caller ended it.
  case cancelled(url: String)
  /// Anything else, in libcurl's words.
  case failed(url: String, detail: String)
}

extension FetchError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .libraryMissing(let detail):
      "cannot fetch URLs: \(detail): install libcurl (apt-get install libcurl4)"
    case .badURL(let url): "\(FetchError.shown(url)): not an http or https URL"
    case .unresolved(let url): "\(FetchError.shown(url)): the host's name could not be resolved"
    case .refused(let url, let detail): "\(FetchError.shown(url)): no connection: \(detail)"
    case .timedOut(let url, let seconds):
      "\(FetchError.shown(url)): timed out after \(FetchError.shown(seconds)) s"
    case .insecure(let url, let detail): "\(FetchError.shown(url)): not secure: \(detail)"
    case .status(let status, let url): "\(FetchError.shown(url)): HTTP \(status)\(status.reason)"
    case .tooManyRedirects(let url, let limit):
      "\(FetchError.shown(url)): more than \(limit) redirects"
    case .refusedRedirect(let url, let target):
      "\(FetchError.shown(url)): redirects to \(FetchError.shown(target)), which is refused"
    case .tooLarge(let url, let limit):
      "\(FetchError.shown(url)): larger than \(FetchError.shown(bytes: limit))"
    case .cancelled(let url): "\(FetchError.shown(url)): cancelled"
    case .failed(let url, let detail): "\(FetchError.shown(url)): \(detail)"
    }
  }

  /// The URL without a user's name and password.
  private static func shown(_ url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].isEmpty, let mark = parts[2].lastIndex(of: "@") else {
      return url
    }
    let host = parts[2][parts[2].index(after: mark)...]
    return ([parts[0], parts[1], host] + parts[3...]).joined(separator: "/")
  }

  /// A number of seconds without a needless fraction.
  private static func shown(_ seconds: Double) -> String {
    Int(exactly: seconds).map { String($0) } ?? String(seconds)
  }

  private static func shown(bytes: Int) -> String {
    bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? "\(bytes >> 20) MB" : "\(bytes) bytes"
  }
}

extension Int {
  /// The usual words for a status, with a blank before them; empty for a rare one.
  fileprivate var reason: String {
    switch self {
    case 400: " Bad Request"
    case 401: " Unauthorized"
    case 403: " Forbidden"
    case 404: " Not Found"
    case 410: " Gone"
    case 429: " Too Many Requests"
    case 500: " Internal Server Error"
    case 502: " Bad Gateway"
    case 503: " Service Unavailable"
    default: ""
    }
  }
}
