/// Where a plugin lies: `NAME.lua`, or a folder `NAME/` with `plugin.lua`, modules and fixtures.
struct PluginFile: Equatable, Sendable {
  var name: String
  /// The Lua file that is run.
  var path: String
  /// The plugin's own folder, where `require` looks; nil for a single file.
  var folder: String?
  /// Why it cannot be a plugin, though its name says that it is one; nil for all else.
  private(set) var problem: String?
  /// How many folders were looked through before its own.
  var foldersBefore = 0

  /// The plugin at a path that the user named: a `.lua` file, a folder with a `plugin.lua`, or that
  /// `plugin.lua` itself. Its folder names it, also where the path says `.` for that.
  init?(path: String) {
    let isMain = Files.name(path) == "plugin.lua" && Files.entry(path) == .file
    guard var file = PluginFile(at: isMain ? Files.folder(path) : path) else { return nil }
    if let folder = file.folder, ["", ".", ".."].contains(file.name) {
      guard let name = Files.absolute(folder).map(Files.name), !name.isEmpty else { return nil }
      file.name = name
    }
    self = file
  }

  /// What lies at a path, named as the path ends.
  private init?(at path: String) {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let last = Files.name(trimmed)
    switch Files.entry(trimmed) {
    case .file where last.hasSuffix(".lua") && !last.hasSuffix(".meta.lua"):
      let name = String(last.dropLast(4))
      // A link to a folder's plugin is that plugin, with its modules and fixtures.
      if last != "plugin.lua", let real = Files.absolute(trimmed), Files.name(real) == "plugin.lua"
      {
        self.init(name: name, path: real, folder: Files.folder(real))
      } else {
        self.init(name: name, path: trimmed, folder: nil)
      }
    case .folder where Files.entry(Files.join(trimmed, "plugin.lua")) == .file:
      self.init(name: last, path: Files.join(trimmed, "plugin.lua"), folder: trimmed)
    default:
      return nil
    }
  }

  private init(name: String, path: String, folder: String?) {
    self.name = name
    self.path = path
    self.folder = folder
  }

  /// What lies under the name of a plugin, and is none.
  private init?(brokenAt path: String) {
    let last = Files.name(path)
    guard last.hasSuffix(".lua"), !last.hasSuffix(".meta.lua") else { return nil }
    self.init(name: String(last.dropLast(4)), path: path, folder: nil)
    problem =
      switch Files.entry(path) {
      case .folder: "it is a folder without plugin.lua"
      case .file: nil
      case .other: "it is no file"
      case nil: "it is a link that leads nowhere"
      }
  }

  /// The plugins of several folders: folder by folder as given, in each by name as bytes. A name
  /// found before is not taken again, so an earlier folder wins. This is the order of loading; what
  /// cannot be a plugin comes last, so that it stands in no other's place.
  static func find(in folders: [String]) -> [PluginFile] {
    var taken: Set<String> = []
    var files: [PluginFile] = []
    var broken: [PluginFile] = []
    for (place, folder) in folders.enumerated() {
      for name in Files.names(in: folder) ?? [] {
        let path = Files.join(folder, name)
        guard var file = PluginFile(at: path) ?? PluginFile(brokenAt: path) else { continue }
        file.foldersBefore = place
        if file.problem != nil {
          broken.append(file)
        } else if taken.insert(file.name).inserted {
          files.append(file)
        }
      }
    }
    return files + broken.filter { taken.insert($0.name).inserted }
  }

  /// The files that a change of the plugin may be in: its Lua files and its fixtures.
  var parts: [String] {
    guard let folder else { return [path] }
    let fixtures = Files.join(folder, "fixtures")
    return ([folder] + Files.folders(below: folder)).flatMap { folder in
      (Files.names(in: folder) ?? []).filter { folder == fixtures || $0.hasSuffix(".lua") }
        .map { Files.join(folder, $0) }
    }
  }
}
