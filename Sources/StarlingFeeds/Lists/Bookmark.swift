package import StarlingModel

/// One address of a list of bookmarks or of an outline.
package struct Bookmark: Sendable, Hashable {
  /// The line of the document, from 1.
  package var line: Int
  package var url: String
  package var title: String?
  /// Its own tags, then the folders that it is in, the outermost first.
  package var tags: [String] = []
  package var note: String?
  package var added: Timestamp?
}

/// What a list holds.
package struct BookmarkList: Sendable {
  package var bookmarks: [Bookmark] = []
  /// The feeds that an outline subscribes to.
  package var feeds: [Subscription] = []
}

/// One feed of an outline (OPML 2.0, "Subscription lists").
package struct Subscription: Sendable, Hashable {
  package var line: Int
  /// Where the feed is.
  package var url: String
  package var title: String?
  /// The page that the feed belongs to.
  package var page: String?
  package var folders: [String] = []
  /// What Starling adds: the plugin that maps it, and the time between two loads, such as `30m`.
  package var plugin: String?
  package var every: String?

  package init(line: Int, url: String, title: String?) {
    self.line = line
    self.url = url
    self.title = title
  }
}
