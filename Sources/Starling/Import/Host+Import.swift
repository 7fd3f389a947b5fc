import StarlingFavorites
import StarlingModel

extension Host {
  /// Makes favorites of what another tool kept: bookmarks (Netscape's HTML, which browsers write),
  /// Pocket's HTML and CSV, OPML links, Pinboard's JSON, what `export` writes, and Core Data stores.
  ///
  /// The cause of each is the import, with the file and the line. What the user has said no to stays
  /// refused; what is a favorite already gets a cause more, and the tags. An address that a stored
  /// entity has is starred as that entity; another becomes one of `kind`.
  ///
  /// - Parameters:
  ///   - path: the file; `-` for standard input.
  ///   - kind: what an address becomes that no entity has; its key must be one url.
  ///   - site: the site of a Core Data store's rows.
  ///   - tags: added to each favorite.
  ///   - isDry: takes everything back at the end, and still reports.
  ///   - progress: told now and then.
  ///   - isCanceled: asked now and then; true ends the import, and nothing is kept. When left out:
  ///     whether the task was canceled.
  /// - Throws: when the file cannot be read, or is of no known form; of kind `canceled`. Nothing was
  ///   changed then.
  public func importFavorites(
    from path: String, kind: String = "news", site: String? = nil, tags: [String] = [],
    isDry: Bool = false, progress: (ImportProgress) -> Void = { _ in },
    isCanceled: @escaping () -> Bool = { Task.isCancelled }
  ) throws(HostError) -> ImportReport {
    let store = try storeWithPlugins()
    // A database is read from its file, however large that is.
    let bytes = try whole(
      FeedInput(path == "-" ? .standardInput : .file(path)), isCanceled: isCanceled,
      isEnough: ImportFile.isDatabase
    ).bytes
    let file = try ImportFile(path, bytes, kinds: store.kinds, site: site) { rows, total in
      progress(ImportProgress(phase: .reading, done: rows, total: total))
      return isCanceled()
    }
    var report = ImportReport(format: file.format, file: path)
    report.feeds = file.feeds
    report.unused = file.unused
    report.duplicates = file.duplicates
    report.read = file.rows ?? file.favorites.count + file.problems.count + file.duplicates
    for problem in file.problems { report.note(problem) }
    let name = Files.name(path)
    do throws(FavoritesError) {
      var favorites = file.favorites
      if favorites.contains(where: \.entity.kind.isEmpty) {
        favorites = try ImportedAddresses(store, kind: kind).named(favorites, &report, isCanceled)
      }
      let total = favorites.count
      var done = 0
      store.startRun("import \(name)")
      defer { _ = store.endRun() }
      try store.importing(favorites, file: name, tags: tags, isDry: isDry) { favorite, outcome in
        switch outcome {
        case .success(.starred): report.starred += 1
        case .success(.already): report.already += 1
        case .success(.refused): report.refused += 1
        case .failure(let error):
          report.note(ImportProblem(line: favorite.line, what: error.description))
        }
        done += 1
        guard done % 256 == 0 || done == total else { return false }
        progress(ImportProgress(phase: .starring, done: done, total: total))
        return isCanceled()
      }
    } catch .stopped {
      throw HostError(.canceled, "interrupted", subject: path)
    } catch {
      throw HostError(error)
    }
    return report
  }
}

/// Makes entities of addresses.
private struct ImportedAddresses {
  private let store: FavoritesStore
  private let kind: Kind
  private let keyField: String

  init(_ store: FavoritesStore, kind name: String) throws(FavoritesError) {
    self.store = store
    guard let kind = store.model[name] else {
      throw .unknownKind(name, nearest: Spelling.nearest(to: name, among: store.kinds.map(\.name)))
    }
    guard case .fields(let names) = kind.key, names.count == 1,
      let field = kind.fields.first(where: { $0.name == names[0] }), field.type == .url
    else {
      throw .badKey(kind: name, reason: "an address alone is no key of it; name another kind")
    }
    self.kind = kind
    keyField = field.name
  }

  /// The favorites with kinds and keys, each once.
  ///
  /// - Throws: `stopped` when `isCanceled` says so.
  func named(
    _ favorites: [ImportedFavorite], _ report: inout ImportReport, _ isCanceled: () -> Bool
  ) throws(FavoritesError) -> [ImportedFavorite] {
    var places: [String: Int] = [:]
    var named: [ImportedFavorite] = []
    for (number, favorite) in favorites.enumerated() {
      if number % 256 == 255, isCanceled() { throw .stopped }
      var favorite = favorite
      guard favorite.entity.kind.isEmpty else {
        named.append(favorite)
        continue
      }
      guard case .text(let address) = favorite.entity["url"], let entity = entity(address, favorite)
      else {
        report.note(ImportProblem(line: favorite.line, what: "its address is none of the web"))
        continue
      }
      favorite.entity = entity
      let place = "\(entity.kind)\0\(entity.key)"
      if let known = places[place] {
        named[known].merge(favorite)
        report.duplicates += 1
      } else {
        places[place] = named.count
        named.append(favorite)
      }
    }
    return named
  }

  private func entity(_ address: String, _ favorite: ImportedFavorite) -> Entity? {
    guard let canonical = URLReference.canonical(address),
      canonical.hasPrefix("http://") || canonical.hasPrefix("https://")
    else { return nil }
    for url in [address, canonical] {
      if let known = try? store.entity(url: url) {
        return Entity(kind: known.kind, key: known.key)
      }
    }
    var entity = Entity(kind: kind.name, key: canonical)
    entity[keyField] = .text(canonical)
    if kind.index(of: "title") != nil { entity["title"] = favorite.entity["title"] }
    return entity
  }
}
