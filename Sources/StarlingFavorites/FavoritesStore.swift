public import StarlingModel
import StarlingSQLite

/// The favorites of one database file, and every entity that feeds brought.
///
/// Synchronous and not Sendable: it belongs to one isolation domain, which the embedder picks
/// (an actor, the main actor, a thread). Several stores, in this process or others, may have the
/// same file open; a change waits for another's to end.
public final class FavoritesStore {
  let connection: Connection
  let options: StoreOptions
  /// Why a file that was to be written can only be read.
  let unwritable: FavoritesError?
  /// Sees to it that nobody writes a file that is read without locks.
  let stillFile: StillFile?
  /// The file's path, or `:memory:`, as errors name it.
  public let path: String
  /// The kinds of the file and those that were registered, merged. Records, matchers and queries
  /// use these: a kind here may have more fields than a plugin declares today.
  public internal(set) var model = KindModel()
  var handles: [KindHandle] = []
  var handlesByName: [String: KindHandle] = [:]
  var statements: [Statement?] = Array(repeating: nil, count: StoreStatement.allCases.count)
  var caches = StoreCaches()
  /// The other connections' commits that the caches know of.
  var knownDataVersion: UInt32 = 0
  var knownSchemaVersion: Int64 = 0
  /// Whether a statement failed in the open transaction after it may have written.
  var isBroken = false
  /// Roughly how many bytes were written since the length of the log was looked at.
  var unmeasuredBytes = 0
  /// Whether somebody read when the open transaction began, for whom the log is kept.
  var isLogHeld = false
  /// Until when the open transaction waits for others who read.
  var logDeadline: ContinuousClock.Instant?
  var isReading = false
  /// How many read transactions there were.
  var readings: UInt64 = 0
  var run = RunState()
  var observers: [ObserverToken: (Change) -> Void] = [:]
  var lastReported: Int64?
  var isReporting = false
  /// Whether the initializer has come to its end.
  private(set) var isOpen = false
  /// The kinds that the file had when it was opened, until they are declared by somebody.
  var foundKinds: Set<String> = []
  /// The numbers of kinds that were forgotten, for when they are declared anew: other processes know
  /// them by these.
  var forgottenKinds: [String: Int64] = [:]
  /// Whether the open transaction has changed the kinds of the file.
  var changesKinds = false
  /// What may be held of what is read; nil without bounds.
  var budget: ReadBudget?
  /// Who acts where a change does not say it, in place of `StoreOptions.who`.
  package var actor: Cause.Origin?
  /// What sequences of changes and updates share with this store; nil until there is one.
  var feeds: StoreFeeds?
  /// Whether the file has a search index: one of an older version that is open for reading has none.
  var hasSearchIndex = true
  /// Words of the search index, while they are written; kept for their storage.
  var oldWords = SearchWords()
  var newWords = SearchWords()
  /// Texts of lists and folded forms, held while a statement that is bound to them runs.
  var scratch = Scratch()

  /// Opens or makes a database and registers the kinds of `model` with it.
  ///
  /// New kinds, fields and indexes migrate in one transaction. A whole file that cannot be written,
  /// in a folder that is read-only or on a full disk, is opened for reading; each change then throws
  /// why.
  /// - Throws: why it cannot be opened, one case for each reason; `kindConflict` when the model
  ///   contradicts the file. A newer or foreign file is left as it is.
  public init(
    _ location: Location, model: KindModel = KindModel(), options: StoreOptions = StoreOptions()
  ) throws(FavoritesError) {
    switch location {
    case .memory: path = ":memory:"
    case .file(let file): path = file
    }
    options.progress(.open)
    let opened = try FavoritesStore.openAsFarAsPossible(location, options)
    (connection, self.options) = (opened.connection, opened.options)
    (unwritable, stillFile) = (opened.unwritable, opened.stillFile)
    try prepareFile()
    try loadKinds()
    try migrateSchema()
    foundKinds = Set(handlesByName.keys)
    if !model.kinds.isEmpty { try register(model) }
    isOpen = true
    options.progress(.ready)
  }

  /// The kinds that can be asked for, in the order in which the file came to know them.
  public var kinds: [Kind] { handles.map(\.kind) }

  /// The kind of a name.
  ///
  /// - Throws: `unknownKind` with the nearest name.
  package func handle(kind name: String) throws(FavoritesError) -> KindHandle {
    if let handle = handlesByName[name] { return handle }
    // Another process may have registered it since.
    try loadKinds()
    if let handle = handlesByName[name] { return handle }
    throw .unknownKind(name, nearest: Spelling.nearest(to: name, among: handles.map(\.kind.name)))
  }

  /// The kind of a name given as bytes; makes no String.
  package func handle(kind name: UnsafeRawBufferPointer) -> KindHandle? {
    for handle in handles where unsafe name.elementsEqual(handle.nameBytes) { return handle }
    return nil
  }
}

@available(
  *, unavailable,
  message:
    "it has one owner: hold it in an actor, or hand it over as `sending` (see the guide Tasks)"
)
extension FavoritesStore: Sendable {}

/// What is remembered of the file's contents, for as long as nobody else writes.
struct StoreCaches {
  /// The last rowid given to an entity, and whether the file says so too.
  var lastEntity: Int64?
  var storedEntity: Int64?
  var actorIDs: [ActorName: Int64] = [:]
  var actors: [Int64: ActorName] = [:]
  var sourceIDs: [String: Int64] = [:]
  var sources: [Int64: String] = [:]
}

/// Who makes changes, as the table `actors` has it.
struct ActorName: Hashable {
  var origin: String
  var name: String
  var version: String

  init(origin: String, name: String, version: String) {
    self.origin = origin
    self.name = name
    self.version = version
  }

  init(_ origin: Cause.Origin) {
    switch origin {
    case .hand: self.init(origin: "hand", name: "", version: "")
    case .rule(let name, let version): self.init(origin: "rule", name: name, version: version)
    case .script(let name): self.init(origin: "script", name: name, version: "")
    case .import(let file, _): self.init(origin: "import", name: file, version: "")
    }
  }

  func causeOrigin(line: Int64?) -> Cause.Origin {
    switch origin {
    case "rule": .rule(name: name, version: version)
    case "script": .script(name: name)
    case "import": .import(file: name, line: Int(clamping: line ?? 0))
    default: .hand
    }
  }
}

extension Cause.Origin {
  /// The line of an imported file.
  var line: Int64? {
    if case .import(_, let line) = self { Int64(line) } else { nil }
  }
}
