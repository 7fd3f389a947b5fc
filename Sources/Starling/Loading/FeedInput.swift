/// Where a feed comes from, and what its source says of it.
public struct FeedInput: Sendable {
  struct Validators: Sendable {
    var etag: String?
    var lastModified: String?
  }

  public enum Origin: Hashable, Sendable {
    case file(String)
    case standardInput
    /// http or https.
    case url(String)
    /// A document at hand, with a name for messages.
    case bytes([UInt8], name: String)
  }

  public var origin: Origin
  /// The URL that the document is taken to be read from, in place of the origin's own.
  public var url: String?
  /// The HTTP Content-Type, in place of what a server says.
  public var contentType: String?
  /// The character set that the source says.
  public var charset: String?
  /// What `feed.site` is to be, in place of the host of the URL.
  public var site: String?
  /// What the server said the last time; with them it may answer that nothing is new.
  var validators = Validators()
  /// `feed.options`.
  public var options: [String: OptionValue]

  public init(
    _ origin: Origin, url: String? = nil, contentType: String? = nil, charset: String? = nil,
    site: String? = nil, options: [String: OptionValue] = [:]
  ) {
    self.origin = origin
    self.url = url
    self.contentType = contentType
    self.charset = charset
    self.site = site
    self.options = options
  }

  /// The input that a word of the command names: a URL, `-`, or a file.
  public init(argument: String, url: String? = nil) {
    let lower = argument.lowercased()
    if argument == "-" {
      self.init(.standardInput, url: url)
    } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
      self.init(.url(argument), url: url)
    } else {
      self.init(.file(argument), url: url)
    }
  }

  /// As messages and the database name it.
  public var name: String {
    switch origin {
    case .file(let path): path
    case .standardInput: "-"
    case .url(let url): url
    case .bytes(_, let name): name
    }
  }

  /// What entities keep as their source: the URL where there is one.
  var source: String { url ?? name }
}
