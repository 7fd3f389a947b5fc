// A favorites screen as a program: what is tapped is written here, what is seen is printed. It runs
// itself once more at the end, for the list after a restart.
import Foundation
import StarlingFavorites

func open(_ path: String) throws(FavoritesError) -> FavoritesStore {
  // Stars in one second keep their order of coming: the store orders by time, then by age.
  var second: Int64 = 1_790_000_000
  let options = StoreOptions(clock: {
    second += 1
    return Timestamp(secondsSinceEpoch: second)
  })
  return try FavoritesStore(
    .file(path),
    model: KindModel([News.self, Post.self, Forum.self, CarSeries.self, CarType.self]),
    options: options)
}

/// A page of cells with their stars: one look for all that are visible.
func showCells(_ items: [some Listed], _ store: FavoritesStore) throws(FavoritesError) {
  let stars = try store.containing(items)
  for (item, isOne) in zip(items, stars) where isOne { print("    ★ \(item.headline)") }
  print("    \(items.count) cells, \(stars.count { $0 }) with a star")
}

func tap(_ subject: some Listed, _ store: FavoritesStore) throws(FavoritesError) {
  var button = try FavoriteButton(subject, store)
  let before = button.title
  try button.tap()
  print("  tap \(subject.headline): \(before) -> \(button.title)")
}

func firstRun(_ path: String) throws(FavoritesError) {
  let store = try open(path)
  try FavoritesScreen(store).show()
  print("The feed")
  try showCells(Catalog.news, store)
  for number in [3, 1, 48] { try tap(Catalog.news[number], store) }
  try tap(Catalog.news[1], store)
  try showCells(Catalog.news, store)
  print("The forums and the cars")
  for post in Catalog.posts.dropFirst() { try tap(post, store) }
  try tap(Catalog.forums[0], store)
  for series in Catalog.series { try tap(series, store) }
  for type in Catalog.types { try tap(type, store) }
  // Two ids that a float or a number would take for one are two favorites.
  try tap(Catalog.types[1], store)
  try showCells(Catalog.posts, store)

  var screen = try FavoritesScreen(store)
  screen.show()
  print("A swipe on the second news item and on the first series")
  try screen.news.delete(at: 1)
  try screen.series.delete(at: 0)
  screen.show()
}

func secondRun(_ path: String) throws(FavoritesError) {
  let store = try open(path)
  try FavoritesScreen(store).show()
  let button = try FavoriteButton(Catalog.news[48], store)
  print("  \(Catalog.news[48].headline): \(button.title)")
}

if CommandLine.arguments.count > 1 {
  try secondRun(CommandLine.arguments[1])
} else {
  let folder = FileManager.default.temporaryDirectory.appending(path: "origin-screen-\(getpid())")
  defer { try? FileManager.default.removeItem(at: folder) }
  let path = folder.appending(path: "favorites.db").path
  try firstRun(path)
  print("After a restart")
  fflush(nil)
  let restart = Process()
  restart.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  restart.arguments = [path]
  try restart.run()
  restart.waitUntilExit()
  exit(restart.terminationStatus)
}
