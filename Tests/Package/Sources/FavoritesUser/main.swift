// The store alone: nothing but `StarlingFavorites` is imported, and Foundation as an app does.
import Foundation
import StarlingFavorites

struct Article: FavoriteEntity, Equatable {
  static let kind = "article"
  static let key = Kind.KeyRule.fields(["link"])

  var id: UUID
  var link: URL
  var title: String
  var publishedAt: Date?
  var topics: [String] = []
}

struct Person: FavoriteEntity {
  static let kind = "person"
  static let key = Kind.KeyRule.auto

  var key: String?
  var name: String
  var age: Int
}

func expect(_ isTrue: @autoclosure () throws -> Bool, _ what: String) rethrows {
  guard try !isTrue() else { return }
  print("failed: \(what)")
  exit(1)
}

let folder = FileManager.default.temporaryDirectory.appending(path: "favorites-user-\(getpid())")
defer { try? FileManager.default.removeItem(at: folder) }
let store = try FavoritesStore(
  .file(folder.appending(path: "favorites.db").path), model: KindModel([Article.self, Person.self]))

let fields = try Article.declaration.fields.map { "\($0.name) \($0.type.rawValue)" }
print("article:", fields.joined(separator: ", "))

func url(_ text: String, relativeTo base: URL? = nil) -> URL {
  URL(string: text, relativeTo: base) ?? URL(filePath: "/")
}

let article = Article(
  id: UUID(), link: url("https://news.example/a?b=1#c"), title: "Swift 6.3",
  publishedAt: Date(timeIntervalSince1970: 1_780_000_000), topics: ["swift"])
try expect(store.toggle(article), "toggled on")
try expect(store.contains(article), "it is one")
try expect(store.contains(url: "https://news.example/a?b=1#c"), "by its address")
try expect(store.get(Article.self, key: article.link.absoluteString)?.value == article, "the same")
do {
  try store.insert(Article(id: UUID(), link: url("x", relativeTo: article.link), title: ""))
  expect(false, "an address with a base is refused")
} catch {
  print(error)
}

let key = try store.insert(Person(name: "Ada", age: 36)).key
print("person", key, try store.get(Person.self, key: key)?.value.name ?? "")

let changes = try store.changes(of: Article.self)
let watching = Task { () -> Change.Action? in
  for try await change in changes { return change.action }
  return nil
}
try store.delete(article)
print("change:", try await watching.value?.rawValue ?? "none")
print("members:", try store.members(of: "person").contains(key))
