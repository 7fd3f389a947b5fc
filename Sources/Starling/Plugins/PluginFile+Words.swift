extension PluginFile {
  /// The plugin that a person names by its path; nil for a word that is a plugin's name. A bare word
  /// is a name before it is a file's or folder's.
  ///
  /// - Parameter files: the plugins that were found.
  /// - Throws: when no plugin lies at the path.
  init?(atPathOf word: String, among files: [PluginFile]) throws(HostError) {
    let isPath =
      word.utf8.contains(UInt8(ascii: "/")) || word.hasSuffix(".lua") || [".", ".."].contains(word)
    if !isPath, files.contains(where: { $0.name == word }) { return nil }
    if let file = PluginFile(path: word) {
      self = file
      return
    }
    guard isPath else { return nil }
    throw HostError(
      .plugin, "no plugin there: a .lua file, or a folder with plugin.lua", subject: word)
  }
}

extension [PluginFile] {
  /// Puts one that was named by its path among those that were found: it stands for one of its name.
  mutating func put(_ file: PluginFile) {
    if let place = firstIndex(where: { $0.name == file.name }) {
      self[place] = file
    } else {
      append(file)
    }
  }
}
