import StarlingFavorites
import StarlingFeeds
import StarlingModel

/// A file of favorites of another tool, read by what its first bytes say that it is.
struct ImportFile {
  var format: String
  var favorites: [ImportedFavorite] = []
  var problems: [ImportProblem] = []
  /// How many rows a database has that become favorites; nil for any other file.
  var rows: Int?
  var duplicates = 0
  var unused: [String] = []
  var feeds = 0

  /// - Parameters:
  ///   - bytes: what the file holds.
  ///   - step: told how many rows of a database are read, of how many; true ends it.
  /// - Throws: when it is of no form that is known; `canceled`.
  init(
    _ path: String, _ bytes: [UInt8], kinds: [Kind], site: String?,
    step: (_ rows: Int, _ total: Int) -> Bool
  ) throws(HostError) {
    if ImportFile.isDatabase(bytes) {
      self.init(format: "core data")
      try readCoreData(path, kinds, site, step)
    } else if OutlineReader.isOne(bytes) {
      self.init(format: "outline")
      guard let list = OutlineReader.read(bytes) else {
        throw HostError(.host, "this outline is no XML that can be read", subject: path)
      }
      take(list)
    } else if BookmarkReader.isOne(bytes) {
      self.init(format: "bookmarks")
      take(BookmarkReader.read(bytes))
    } else if let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    {
      self.init(format: "json")
      try readJSON(bytes, kinds, path)
    } else {
      self.init(format: "csv")
      try readCSV(bytes, path)
    }
  }

  /// By the first bytes of the file (SQLite: Database File Format, 1.3).
  static func isDatabase(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("SQLite format 3\0".utf8))
  }

  private init(format: String) {
    self.format = format
  }

  private mutating func readCoreData(
    _ path: String, _ kinds: [Kind], _ site: String?, _ step: (Int, Int) -> Bool
  ) throws(HostError) {
    do throws(FavoritesError) {
      let content = try CoreDataFile(path: path, site: site).read(kinds, step: step)
      rows = content.rows
      favorites = content.favorites
      problems = content.problems
      duplicates = content.duplicates
      unused = content.unused
    } catch .stopped {
      throw HostError(.canceled, "interrupted", subject: path)
    } catch .foreign {
      throw HostError(
        .database, "a SQLite file, but no Core Data store; a Starling database is taken by restore",
        subject: path)
    } catch {
      throw HostError(error)
    }
  }

  private mutating func take(_ list: BookmarkList) {
    feeds = list.feeds.count
    for bookmark in list.bookmarks {
      var favorite = ImportedFavorite(
        line: bookmark.line, address: bookmark.url, title: bookmark.title)
      favorite.tags = bookmark.tags
      favorite.note = bookmark.note
      favorite.starredAt = bookmark.added
      favorites.append(favorite)
    }
  }

  // MARK: JSON

  /// One object a line, as `list --json` and `export` write them, or one array of objects, as
  /// Pinboard does.
  private mutating func readJSON(
    _ bytes: [UInt8], _ kinds: [Kind], _ path: String
  ) throws(HostError) {
    if bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "[") {
      let reader = try document(bytes, path)
      var number = 0
      var child = reader.document.firstChild(reader.document.root)
      while let node = child {
        number += 1
        take(reader, node, line: number, kinds)
        child = reader.document.nextSibling(node, in: reader.document.root)
      }
      return
    }
    var line = 0
    for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      line += 1
      if text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      do throws(HostError) {
        let reader = try document(Array(text), path)
        take(reader, reader.document.root, line: line, kinds)
      } catch {
        problems.append(ImportProblem(line: line, what: error.message))
      }
    }
  }

  private func document(
    _ bytes: [UInt8], _ path: String
  ) throws(HostError) -> ImportedJSON {
    do throws(FeedError) {
      return ImportedJSON(document: try JSONDocument.parse(bytes))
    } catch {
      throw HostError(.host, error.description, subject: path, cause: error)
    }
  }

  private mutating func take(
    _ reader: ImportedJSON, _ node: JSONDocument.Node, line: Int, _ kinds: [Kind]
  ) {
    do throws(ImportedJSON.Fault) {
      favorites.append(try reader.favorite(node, line: line, kinds: kinds))
    } catch {
      problems.append(ImportProblem(line: line, what: error.what))
    }
  }

  // MARK: CSV

  /// A first line with the columns' names, as Pocket and Instapaper write it.
  private mutating func readCSV(_ bytes: [UInt8], _ path: String) throws(HostError) {
    var reader = CSVReader(bytes)
    let names = reader.next()?.fields.map { $0.trimmed.lowercased() } ?? []
    func column(_ wanted: String...) -> Int? {
      wanted.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    guard let address = column("url", "link", "href", "address") else {
      throw HostError(
        .host,
        "of no form that is known; bookmarks (HTML), OPML, Pocket's or other CSV with a column url,"
          + " JSON lines as `export` writes them, and Core Data stores can be read",
        subject: path)
    }
    let title = column("title", "name")
    let tags = column("tags", "labels", "folder", "category")
    let note = column("note", "notes", "description", "excerpt")
    let added = column("time_added", "timestamp", "created", "added", "date")
    while let record = reader.next() {
      func text(_ index: Int?) -> String? {
        guard let index, record.fields.indices.contains(index) else { return nil }
        let text = record.fields[index].trimmed
        return text.isEmpty ? nil : text
      }
      guard let url = text(address) else {
        problems.append(ImportProblem(line: record.line, what: "it has no address"))
        continue
      }
      var favorite = ImportedFavorite(line: record.line, address: url, title: text(title))
      favorite.tags = (text(tags) ?? "").split { $0 == "|" || $0 == "," }.map { String($0).trimmed }
        .filter { !$0.isEmpty }
      favorite.note = text(note)
      favorite.starredAt = text(added).flatMap { Timestamp(parsing: $0) }
      favorites.append(favorite)
    }
  }
}

extension ImportedFavorite {
  /// One that is known by its address alone.
  init(line: Int, address: String, title: String?) {
    var entity = Entity(kind: "", key: "")
    entity["url"] = .text(address)
    entity["title"] = title.map { .text($0) }
    self.init(line: line, entity: entity)
  }
}
