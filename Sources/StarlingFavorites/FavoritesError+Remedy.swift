package import StarlingModel

/// What to do about an error, as an app does it and as a person with the command does.
package struct Remedy: Hashable, Sendable {
  package var library: String
  package var command: String

  package init(library: String, command: String) {
    self.library = library
    self.command = command
  }

  /// The end of a text that has one, in the words of the command.
  package func inCommand(_ text: String) -> String {
    text.hasSuffix(library) ? text.dropLast(library.count) + command : text
  }
}

extension FavoritesError {
  /// Nil where the error itself says it, or nothing can be said.
  package var remedy: Remedy? {
    switch self {
    case .notADatabase, .foreign:
      Remedy(library: "; open another file", command: "; give another file with --db")
    case .cutOff(_, _, nil):
      Remedy(
        library: "; restore a backup, or open another file",
        command: "; restore a backup with starling restore FILE, or give another file with --db")
    case .cutOff:
      Remedy(
        library: "; restore a backup, or move both away to begin anew",
        command: "; restore a backup with starling restore FILE, or move both away to begin anew")
    case .corrupt:
      Remedy(
        library: "; FavoritesStore.salvage saves what can be read, or restore a backup",
        command: "; run starling doctor, or restore a backup")
    case .readOnly:
      Remedy(
        library: "; make it writable, or open another",
        command: "; make it writable, or give another with --db")
    case .inputOutput:
      Remedy(
        library: ": check the disk, then the file with FavoritesStore.check",
        command: ": check the disk, then run starling doctor")
    case .kindConflict(let conflict): conflict.remedy
    default: nil
    }
  }
}

extension KindConflict {
  /// What to do when the file is the one that disagrees.
  package var remedy: Remedy? {
    guard other == FavoritesStore.declarer else { return nil }
    guard case .fields(let names) = key else {
      return Remedy(
        library: "; the database keeps what it has: give the field or kind another name",
        command: "; the database keeps what it has: give the field or kind another name, or use"
          + " another --db")
    }
    return Remedy(
      library:
        "; the database keeps what it has: open it without this kind, give the kind its new key"
        + " with rekey, and register it then (guide Embedding, \"Another key\")",
      command: "; the database keeps what it has: \"starling rekey \(kind) --key"
        + " \(names.joined(separator: ","))\" shows what the new key does to it, and with --apply"
        + " does it")
  }
}
