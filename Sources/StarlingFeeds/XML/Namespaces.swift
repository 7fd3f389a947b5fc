/// The namespaces that feeds use, by address and by usual prefix.
enum Namespaces {
  /// What an element's name means beyond its namespace's own words.
  enum Family: UInt8, Sendable {
    /// RSS in all its versions, also without a namespace.
    case rss
    case atom
    case rdf
    case xhtml
    case content
    case dublinCore
    case dublinCoreTerms
    case itunes
    case googlePlay
    case media
    case feedburner
    case other
  }

  struct Entry {
    var prefix: String
    var family: Family
  }

  /// The namespace of an address; nil for one that is not known.
  static func entry(uri: String) -> Entry? {
    let key = normalized(uri)
    if let prefix = prefixes[key] { return entry(prefix: prefix) }
    return nil
  }

  /// The namespace that a prefix means where nothing declares it.
  static func entry(prefix: String) -> Entry {
    let usual = prefix.lowercased()
    return Entry(prefix: usual.isEmpty ? "" : prefix, family: families[usual] ?? .other)
  }

  /// Publishers write an address with and without scheme, `www.` and a last slash, in any case.
  private static func normalized(_ uri: String) -> String {
    var text = Substring(uri.lowercased())
    if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
    if text.hasPrefix("www.") { text = text.dropFirst(4) }
    while let last = text.last, last == "/" || last == "#" { text = text.dropLast() }
    return String(text)
  }

  private static let families: [String: Family] = [
    "": .rss, "rss": .rss, "rss091": .rss, "atom": .atom, "a10": .atom, "rdf": .rdf,
    "xhtml": .xhtml, "content": .content, "dc": .dublinCore, "dcterms": .dublinCoreTerms,
    "itunes": .itunes, "googleplay": .googlePlay, "media": .media,
    "feedburner": .feedburner,
  ]

  private static let prefixes: [String: String] = [
    "purl.org/rss/1.0": "", "my.netscape.com/rdf/simple/0.9": "",
    "channel.netscape.com/rdf/simple/0.9": "", "purl.org/net/rss1.1": "",
    "backend.userland.com/rss": "", "backend.userland.com/rss2": "",
    "blogs.law.harvard.edu/tech/rss": "", "cyber.law.harvard.edu/rss": "",
    "cyber.law.harvard.edu/rss/rss.html": "", "purl.org/rss/2.0": "",
    "backend.userland.com/rss091": "", "backend.userland.com/rss092": "",
    "rssboard.org/rss-specification": "", "purl.org/rss/1.0/modules/rss091": "rss091",
    "w3.org/2005/atom": "atom", "purl.org/atom/ns": "atom", "purl.org/atom/0.3": "atom",
    "purl.org/net/atom": "atom", "atomenabled.org/feed": "atom",
    "w3.org/1999/02/22-rdf-syntax-ns": "rdf", "w3.org/1999/xhtml": "xhtml",
    "purl.org/rss/1.0/modules/content": "content", "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/elements/1.0": "dc", "purl.org/dc/terms": "dcterms",
    "itunes.com/dtds/podcast-1.0.dtd": "itunes", "itunes.com/dtds/podcast-1.0": "itunes",
    "example.com/dtds/podcast-1.0.dtd": "itunes", "itunes.com/dtds/podcast": "itunes",
    "google.com/schemas/play-podcasts/1.0": "googleplay",
    "google.com/schemas/play-podcasts/1.0/play-podcasts.xsd": "googleplay",
    "search.yahoo.com/mrss": "media", "rssboard.org/media-rss": "media",
    "tools.search.yahoo.com/mrss": "media", "video.search.yahoo.com/mrss": "media",
    "purl.org/rss/1.0/modules/slash": "slash", "purl.org/rss/1.0/modules/syndication": "sy",
    "wellformedweb.org/commentapi": "wfw", "georss.org/georss": "georss",
    "w3.org/2003/01/geo/wgs84_pos": "geo", "opengis.net/gml": "gml",
    "postneo.com/icbm": "icbm", "purl.org/syndication/thread/1.0": "thr",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "podcastindex.org/namespace/1.0": "podcast",
    "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
    "base.google.com/ns/1.0": "g", "base.google.com/cns/1.0": "c",
    "youtube.com/xml/schemas/2015": "yt", "gdata.youtube.com/schemas/2007": "yt",
    "schemas.google.com/g/2005": "gd", "a9.com/-/spec/opensearch/1.1": "opensearch",
    "a9.com/-/spec/opensearchrss/1.0": "opensearch",
    "backend.userland.com/creativecommonsrssmodule": "creativeCommons",
    "cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": "creativeCommons",
    "web.resource.org/cc": "cc", "creativecommons.org/ns": "cc",
    "madskills.com/public/xml/rss/module/trackback": "trackback",
    "webns.net/mvcb": "admin", "purl.org/rss/1.0/modules/annotate": "annotate",
    "purl.org/rss/1.0/modules/taxonomy": "taxo", "purl.org/rss/1.0/modules/event": "ev",
    "purl.org/rss/1.0/modules/link": "l", "purl.org/rss/1.0/modules/company": "company",
    "purl.org/rss/1.0/modules/image": "image", "purl.org/rss/1.0/modules/aggregation": "ag",
    "purl.org/rss/1.0/modules/email": "email", "purl.org/rss/1.0/modules/wiki": "wiki",
    "backend.userland.com/blogchannelmodule": "blogChannel", "xmlns.com/foaf/0.1": "foaf",
    "w3.org/2007/app": "app", "purl.org/atom/app": "app", "podlove.org/simple-chapters": "psc",
    "spotify.com/ns/rss": "spotify", "rawvoice.com/rawvoicerssmodule": "rawvoice",
    "prismstandard.org/namespaces/basic/2.0": "prism",
    "prismstandard.org/namespaces/1.2/basic": "prism", "w3.org/1999/xlink": "xlink",
    "w3.org/2000/svg": "svg", "w3.org/1998/math/mathml": "mathml",
    "microsoft.com/schemas/rss/core/2005": "cf", "w3.org/2001/xmlschema-instance": "xsi",
    "w3.org/xml/1998/namespace": "xml",
  ]
}
