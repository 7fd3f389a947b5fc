import StarlingFavorites

/// One tab of the list of favorites: newest first, as the store orders them.
struct Tab<Subject: Listed> {
  let title: String
  private let store: FavoritesStore
  private(set) var rows: [Starred<Subject>] = []

  init(_ title: String, _ type: Subject.Type, _ store: FavoritesStore) throws(FavoritesError) {
    self.title = title
    self.store = store
    rows = try store.fetch(type)
  }

  /// What a swipe on a row does.
  mutating func delete(at row: Int) throws(FavoritesError) {
    try store.delete(rows[row].value)
    rows.remove(at: row)
  }

  func show() {
    print("  [\(title)]\(rows.isEmpty ? " nothing yet" : "")")
    for (place, row) in rows.enumerated() {
      let detail = row.value.detail.isEmpty ? "" : "  (\(row.value.detail))"
      print("    \(place)  \(row.value.headline)\(detail)")
    }
  }
}

/// The screen: a tab for each kind; cars have two.
struct FavoritesScreen {
  var news: Tab<News>
  var posts: Tab<Post>
  var forums: Tab<Forum>
  var series: Tab<CarSeries>
  var types: Tab<CarType>

  init(_ store: FavoritesStore) throws(FavoritesError) {
    news = try Tab("News", News.self, store)
    posts = try Tab("Posts", Post.self, store)
    forums = try Tab("Forums", Forum.self, store)
    series = try Tab("Cars: series", CarSeries.self, store)
    types = try Tab("Cars: types", CarType.self, store)
  }

  func show() {
    print("Favorites")
    news.show()
    posts.show()
    forums.show()
    series.show()
    types.show()
  }
}
