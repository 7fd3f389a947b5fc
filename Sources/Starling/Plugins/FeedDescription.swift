import StarlingFeeds
import StarlingLua
import StarlingModel

/// What a plugin is told of the feed as a whole: the `feed` table.
struct FeedDescription {
  var header: FeedHeader
  /// Where it was read from, if that is a URL.
  var url: String?
  /// What the source says its site is; else the host of the URL.
  var site: String?
  /// The source's options.
  var options: [String: OptionValue]

  /// - Parameter loadedAt: the one time that a plugin sees, fixed while its fixtures run.
  func push(
    to writer: inout LuaWriter, body: JSONView?, loadedAt: Timestamp
  ) throws(LuaError) {
    try writer.table(fields: 11) { table throws(LuaError) in
      try fill(&table)
      try table.set(named: "loaded_at") { $0.push(loadedAt.secondsSinceEpoch) }
      if let body { try table.set(named: "body") { body.pushRoot(to: &$0) } }
    }
  }

  /// Sets the fields that every feed has.
  func fill(_ table: inout LuaTableWriter) throws(LuaError) {
    let texts: [(String, String?)] = [
      ("format", header.format?.rawValue), ("url", url), ("site", siteName),
      ("title", header.title), ("link", header.link), ("id", header.id),
      ("language", header.language), ("image", header.image), ("generator", header.generator),
    ]
    for (name, text) in texts {
      if let text { try table.set(named: name) { $0.push(text) } }
    }
    try table.set(named: "options") { writer throws(LuaError) in
      try writer.table(fields: options.count) { table throws(LuaError) in
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
          try table.set(named: name) { value.push(to: &$0) }
        }
      }
    }
  }

  private var siteName: String {
    if let site { return site }
    if let url, let host = URLReference.host(url) { return host }
    return header.site
  }
}

/// A value of a source's options.
public enum OptionValue: Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)

  func push(to writer: inout LuaWriter) {
    switch self {
    case .text(let text): writer.push(text)
    case .integer(let number): writer.push(number)
    case .real(let number): writer.push(number)
    case .boolean(let flag): writer.push(flag)
    }
  }
}
