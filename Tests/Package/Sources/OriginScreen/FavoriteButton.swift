import StarlingFavorites

/// The button on an entity's own page, with its two states.
struct FavoriteButton<Subject: FavoriteEntity> {
  private let store: FavoritesStore
  private let subject: Subject
  private(set) var isOn: Bool

  init(_ subject: Subject, _ store: FavoritesStore) throws(FavoritesError) {
    self.store = store
    self.subject = subject
    isOn = try store.contains(subject)
  }

  var title: String { isOn ? "★ Favorite" : "☆ Add to favorites" }

  /// An error leaves the button as it was, and is the caller's to show.
  mutating func tap() throws(FavoritesError) {
    isOn = try store.toggle(subject)
  }
}
