import Starling
import StarlingFavorites
import StarlingModel

/// A session on a copy of the database, and the difference that it made.
final class DryRun {
  private let context: CommandContext
  private let folder: String
  /// The last change that the copy began with.
  private let lastChange: Int64

  private static let fileName = "starling.db"

  /// Copies the database and has the context work with the copy.
  init(_ context: CommandContext) throws(ToolError) {
    self.context = context
    let parent = context.io.variable("TMPDIR") ?? "/tmp"
    guard let folder = Terminal.makeTemporaryFolder(parent) else {
      throw ToolError("--dry-run", "there can be no copy in \(parent)")
    }
    self.folder = folder
    let path = context.settings.databasePath
    do throws(ToolError) {
      if path != ":memory:", Terminal.exists(path) {
        let store = try context.store()
        try stored { () throws(FavoritesError) in
          try store.backup(to: folder + "/" + Self.fileName)
        }
      }
      context.useDatabase(folder + "/" + Self.fileName)
      let copy = try context.store()
      lastChange = try stored { () throws(FavoritesError) in
        try copy.history(HistoryFilter(limit: 1)).first?.id ?? 0
      }
    } catch {
      Terminal.remove(folder: folder, files: Self.files)
      throw error
    }
  }

  private static let files = [fileName, fileName + "-wal", fileName + "-shm"]

  func remove() {
    Terminal.remove(folder: folder, files: Self.files)
  }

  /// Writes what differs from the database that was copied: `+` a favorite more, `-` one less, `~`
  /// what is otherwise changed.
  func showChanges() throws(ToolError) {
    let store = try context.store()
    let io = context.io
    var counts = ["+": 0, "-": 0, "~": 0]
    for change in try changes(store) {
      let (kind, key) = (change.kind, change.key)
      let isFavorite = try stored { () throws(FavoritesError) in
        try store.contains(kind: kind, key: key)
      }
      let isRefused = try stored { () throws(FavoritesError) in
        try store.isRefused(kind: kind, key: key)
      }
      // What was done to it first tells what it was.
      let wasFavorite = change.first.map { $0 == .unstar } ?? isFavorite
      let mark = wasFavorite == isFavorite ? "~" : isFavorite ? "+" : "-"
      let done = change.words + (isRefused ? ["refused"] : [])
      if mark == "~", done.isEmpty { continue }
      counts[mark, default: 0] += 1
      guard !context.isJSON else {
        io.writeResult { json in
          json.member("change", Self.names[mark] ?? "")
          json.member("kind", kind)
          json.member("key", key)
          json.name("done")
          json.beginArray()
          for word in done { json.text(word) }
          json.endArray()
        }
        continue
      }
      let words = done.isEmpty ? "" : ": " + done.joined(separator: ", ")
      io.out.writeLine(
        io.styled(mark, mark == "+" ? .green : mark == "-" ? .red : .yellow) + " "
          + TerminalText.line("\(kind) \(key)\(words)"))
    }
    let total = ["+", "-", "~"].map { "\(counts[$0] ?? 0) \(Self.names[$0] ?? "")" }
    let summary = total.joined(separator: ", ") + "; nothing was kept"
    if context.isJSON { io.report(summary) } else { io.out.writeLine(summary) }
  }

  private static let names = ["+": "starred", "-": "unstarred", "~": "otherwise changed"]

  private struct Touched {
    var kind: String
    var key: String
    /// The first of its changes that made it a favorite or took it away.
    var first: Change.Action?
    /// What else was done to it.
    var words: [String] = []
  }

  /// What was touched, in the order in which it was first.
  private func changes(_ store: FavoritesStore) throws(ToolError) -> [Touched] {
    var touched: [Touched] = []
    var places: [[String]: Int] = [:]
    for change in try newChanges(store) {
      let identity = [change.kind, change.key]
      let place = places[identity] ?? touched.count
      if place == touched.count {
        places[identity] = place
        touched.append(Touched(kind: change.kind, key: change.key))
      }
      switch change.action {
      case .star, .unstar: touched[place].first = touched[place].first ?? change.action
      case .refuse: break
      default:
        let word = change.action.rawValue
        if !touched[place].words.contains(word) { touched[place].words.append(word) }
      }
    }
    return touched
  }

  /// The changes since the beginning, the oldest first.
  private func newChanges(_ store: FavoritesStore) throws(ToolError) -> [Change] {
    var changes: [Change] = []
    var filter = HistoryFilter(limit: 500)
    while true {
      let page = try stored { () throws(FavoritesError) in try store.history(filter) }
      let new = page.filter { $0.id > lastChange }
      changes += new
      guard new.count == page.count, let last = page.last else { return changes.reversed() }
      filter.before = last.id
    }
  }
}
