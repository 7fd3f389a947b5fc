/// What an element means to a feed, whatever namespace and version it comes from.
enum Tag: UInt8, Sendable {
  /// An element that only plugins know.
  case other
  // Containers.
  case rss, rdf, feed, channel, items, item
  // Texts.
  case title, link, description, guid, identifier, comments, body, content, encoded, summary
  case subtitle, abstract, language, generator
  // People.
  case author, contributor, creator, name, email, uri, personURL
  // Times.
  case published, created, updated, date
  // Lists.
  case category, keywords, enclosure
  // Pictures and other elements with elements of their own.
  case image, thumbnail, mediaContent, mediaTitle, mediaDescription, mediaGroup
  case textInput, source, url
  /// The address behind a counting one.
  case originalLink

  init(family: Namespaces.Family, local: String) {
    let known: Tag? =
      switch family {
      case .rss: Tag.rssTags[local]
      case .atom: Tag.atomTags[local]
      case .rdf: local == "rdf" ? .rdf : nil
      case .xhtml: local == "body" || local == "div" ? .body : nil
      case .content: local == "encoded" ? .encoded : nil
      case .dublinCore: Tag.dublinCoreTags[local]
      case .dublinCoreTerms: Tag.dublinCoreTermsTags[local]
      case .itunes, .googlePlay: Tag.itunesTags[local]
      case .media: Tag.mediaTags[local]
      case .feedburner: local == "origlink" || local == "origLink" ? .originalLink : nil
      case .other: nil
      }
    self = known ?? .other
  }

  private static let rssTags: [String: Tag] = [
    "rss": .rss, "rdf": .rdf, "channel": .channel, "items": .items, "item": .item, "title": .title,
    "link": .link,
    "description": .description, "guid": .guid, "comments": .comments, "body": .body,
    "fullitem": .body, "author": .author, "managingeditor": .author, "pubdate": .published,
    "lastbuilddate": .updated, "lastmod": .updated, "category": .category,
    "enclosure": .enclosure, "image": .image, "textinput": .textInput, "textInput": .textInput,
    "source": .source, "abstract": .abstract, "language": .language, "url": .url,
    "generator": .generator,
    "name": .name, "email": .email, "uri": .uri, "feed": .feed, "entry": .item,
    "content": .content, "summary": .summary, "id": .identifier, "published": .published,
    "updated": .updated, "modified": .updated, "issued": .published,
  ]

  private static let atomTags: [String: Tag] = [
    "feed": .feed, "entry": .item, "title": .title, "link": .link, "id": .identifier,
    "summary": .summary, "content": .content, "author": .author, "contributor": .contributor,
    "name": .name, "email": .email, "uri": .uri, "url": .uri, "published": .published,
    "issued": .published, "created": .created, "updated": .updated, "modified": .updated,
    "category": .category, "subtitle": .subtitle, "tagline": .subtitle, "logo": .image,
    "icon": .image, "source": .source, "generator": .generator,
  ]

  private static let dublinCoreTags: [String: Tag] = [
    "title": .title, "creator": .creator, "author": .creator, "date": .date,
    "subject": .category, "description": .abstract, "identifier": .identifier,
    "language": .language, "contributor": .contributor,
  ]

  private static let dublinCoreTermsTags: [String: Tag] = [
    "issued": .published, "created": .created, "modified": .updated, "date": .date,
    "subject": .category,
  ]

  private static let itunesTags: [String: Tag] = [
    "author": .creator, "summary": .abstract, "description": .abstract, "subtitle": .subtitle,
    "image": .image, "keywords": .keywords, "category": .category, "title": .mediaTitle,
  ]

  private static let mediaTags: [String: Tag] = [
    "group": .mediaGroup, "content": .mediaContent, "thumbnail": .thumbnail, "title": .mediaTitle,
    "description": .mediaDescription, "keywords": .keywords, "player": .other,
  ]
}
