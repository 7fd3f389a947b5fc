import StarlingFavorites
import Testing

/// Transactions as an app writes them, with the public API alone.
@Suite struct TransactionTests {
  private struct Task: FavoriteEntity {
    static let kind = "task"
    static let key = Kind.KeyRule.fields(["id"])
    var id: String
  }
  private struct OutOfPaper: Error, Equatable {
    var page: Int
  }

  private let store: FavoritesStore
  private let tasks = (1...3).map { Task(id: "\($0)") }

  init() throws {
    store = try FavoritesStore(.memory, model: KindModel([Task.self]))
  }

  private func keys() throws -> [String] {
    try store.fetch(Task.self, order: .field("id", descending: false)).map(\.key)
  }

  @Test("a closure says nothing of its errors: statements, loops, conditions, one expression")
  func plain() throws {
    try store.transaction {
      _ = try store.insert(tasks[0])
      _ = try store.insert(tasks[1])
    }
    try store.transaction { for task in tasks { _ = try store.insert(task) } }
    try store.transaction { for task in tasks { try store.insert(task) } }
    #expect(try keys() == ["1", "2", "3"])
    try store.transaction { try store.delete(tasks[0]) }
    let inserted = try store.transaction { try store.insert(tasks[0]) }
    #expect(inserted.outcome == .refused || inserted.outcome == .starred)
    let count = try store.transaction {
      if tasks.isEmpty { throw OutOfPaper(page: 0) }
      try store.toggle(tasks[1])
      return try store.count(Task.self)
    }
    #expect(count == 2)
    try store.transaction {}
  }

  @Test("an error of the app's own takes everything back and comes out unchanged")
  func ownError() throws {
    try store.insert(tasks[0])
    #expect(throws: OutOfPaper(page: 7)) {
      try store.transaction {
        for (page, task) in tasks.enumerated() {
          try store.toggle(task)
          if page == 2 { throw OutOfPaper(page: 7) }
        }
      }
    }
    #expect(try keys() == ["1"])
    #expect(try store.history().count == 1)
    // An inner level alone, when the outer one takes it.
    try store.transaction {
      try store.insert(tasks[1])
      do {
        try store.transaction {
          try store.insert(tasks[2])
          throw CancellationError()
        }
      } catch is CancellationError {}
    }
    #expect(try keys() == ["1", "2"])
  }

  @Test("where errors are typed, a body that says so keeps the type")
  func typed() throws {
    func move() throws(FavoritesError) -> Int {
      try store.transaction { () throws(FavoritesError) in
        for task in tasks { try store.insert(task) }
        return try store.count(Task.self)
      }
    }
    #expect(try move() == 3)
    do throws(FavoritesError) {
      try store.transaction { () throws(FavoritesError) in
        try store.delete(tasks[0])
        throw .stopped
      }
    } catch {
      guard case .stopped = error else { Issue.record("\(error)"); return }
    }
    #expect(try keys().count == 3)
  }

  @Test("the rows of a query are given to a closure that may throw an error of its own")
  func each() throws {
    try store.insert(tasks)
    let query = Query(kind: "task", order: .field("id", descending: false))
    var seen: [String] = []
    #expect(throws: OutOfPaper(page: 2)) {
      try store.each(query) { favorite in
        seen.append(favorite.entity.key)
        if seen.count == 2 { throw OutOfPaper(page: 2) }
        return true
      }
    }
    #expect(seen == ["1", "2"])
    try store.eachEntity(query) { entity in
      try store.delete(kind: entity.kind, key: entity.key)
      return true
    }
    #expect(try keys().isEmpty)
  }
}
