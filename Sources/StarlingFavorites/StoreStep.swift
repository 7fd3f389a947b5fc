/// What a store is doing while it is opened, or while it takes in kinds: for a view that shows how
/// far it is.
public enum StoreStep: Hashable, Sendable {
  /// The file is opened, and told from other programs' files.
  case open
  /// The tables of a new file are made.
  case create
  /// A file that an older version of this library made gets what it lacks.
  case schema(from: Int, to: Int)
  /// A kind gets its table, or its table gets what it lacks.
  case kind(String, number: Int, of: Int)
  /// An index of a field is built.
  case index(kind: String, field: String)
  /// The texts that are there already are made ready for a new index: so many rows of so many.
  case fold(kind: String, field: String, rows: Int, of: Int)
  /// The words of the texts that are there already are put into the search index.
  case search(rows: Int, of: Int)
  /// The file is open, or the kinds are taken in.
  case ready
}
