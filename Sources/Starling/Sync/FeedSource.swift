public import StarlingModel

/// A feed that is loaded again and again: one of `init.lua`, or one of an OPML file.
public struct FeedSource: Sendable {
  /// Where a source is written down.
  public enum Origin: Sendable, Hashable {
    case configuration(SourceLocation)
    case outline(file: String, line: Int)
  }

  /// What commands call it; no two sources of a list share it.
  public var name: String
  /// A URL or a path.
  public var url: String
  /// The plugin that maps it; nil to ask all of them.
  public var plugin: String?
  /// Seconds between two loads; nil for `defaultEverySeconds`.
  public var everySeconds: Int64?
  /// What the plugin sees as `feed.options`.
  public var options: [String: OptionValue] = [:]
  /// The character set, whatever the document declares.
  public var charset: String?
  /// What entities have for their site, in place of the URL's host.
  public var site: String?
  public var origin: Origin

  /// An hour: most feeds say so, and few servers like less.
  public static let defaultEverySeconds: Int64 = 3600

  var input: FeedInput {
    var input = FeedInput(argument: url)
    input.charset = charset
    input.site = site
    input.options = options
    return input
  }
}

extension FeedSource.Origin: CustomStringConvertible {
  public var description: String {
    switch self {
    case .configuration(let location): location.description
    case .outline(let file, let line): "\(file):\(line)"
    }
  }
}
