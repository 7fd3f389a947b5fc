/// The tables that every database has. The comments are part of the schema: `.schema` in a
/// `sqlite3` shell reads like documentation.
enum Schema {
  /// Kept in `PRAGMA user_version`.
  static let version: Int64 = 2
  /// `Star` in ASCII, kept in `PRAGMA application_id`: tells our files from other programs'.
  static let applicationID: Int64 = 0x5374_6172

  /// Makes the search index, in the place of one that there is. Its name is one that no kind can
  /// have. It is asked with words in small letters without accents; of what is written without
  /// blanks with pairs of characters that follow one another.
  static let searchStatements: [String] = [
    "DROP TABLE IF EXISTS _search",
    """
    CREATE VIRTUAL TABLE _search
      -- The words of all entities' texts, under their rowids, in small letters without accents:
      --   SELECT news.* FROM _search JOIN news ON news.rowid = _search.rowid
      --   WHERE _search MATCH '"word"'
      -- Of what is written without blanks it has each character with the one that follows. Two
      -- characters are '"电池"', one is '"电" *', three are '"电池 池技"', and so on.
      USING fts5(
      title, text,
      content = '', columnsize = 0, tokenize = 'ascii')
    """,
  ]

  /// Makes the table of what items became; see `ItemMemory`.
  static let itemsStatement = """
    CREATE TABLE IF NOT EXISTS _items (
      -- What the items of each source's last load became: one that is the same is not mapped again.
      source INTEGER PRIMARY KEY REFERENCES sources (id),
      items BLOB NOT NULL         -- hashes and rowids; the rows may be deleted at any time
    ) STRICT
    """

  static let statements: [String] = [
    """
    CREATE TABLE kinds (
      -- The types of entity in this file. The entities of a kind are in the table of its name.
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      key TEXT                    -- the fields that make the key, with commas; NULL: made by the store
    ) STRICT
    """,
    """
    CREATE TABLE fields (
      -- The fields of each kind, in their order.
      kind INTEGER NOT NULL REFERENCES kinds (id),
      number INTEGER NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,         -- text, integer, real, boolean, url, time, money, list
      column_name TEXT NOT NULL,  -- a money has four: the text, and with _low, _high and _currency
      indexed INTEGER NOT NULL,   -- 1: there is an index
      folded_name TEXT,           -- a column for texts that differ more than in the case of a-z
      PRIMARY KEY (kind, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE sources (
      -- Where entities come from.
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT
    """,
    """
    CREATE TABLE favorites (
      -- The entities that somebody or some rule chose. Rowids are unique over all kinds:
      --   SELECT * FROM news JOIN favorites ON favorites.entity = news.rowid
      entity INTEGER PRIMARY KEY, -- the rowid in the kind's table
      kind INTEGER NOT NULL REFERENCES kinds (id),
      starred_at INTEGER NOT NULL,-- UTC, seconds since 1970
      note TEXT
    ) STRICT
    """,
    "CREATE INDEX favorites_by_kind ON favorites (kind, starred_at)",
    """
    CREATE TABLE actors (
      -- Who makes changes.
      id INTEGER PRIMARY KEY,
      origin TEXT NOT NULL,       -- hand, rule, script, import
      name TEXT NOT NULL,         -- of the rule, script or file; '' by hand
      version TEXT NOT NULL,      -- of the rule's text; '' otherwise
      UNIQUE (origin, name, version)
    ) STRICT
    """,
    """
    CREATE TABLE causes (
      -- Why a favorite is one. It stays while one cause is left.
      favorite INTEGER NOT NULL REFERENCES favorites (entity),
      number INTEGER NOT NULL,
      actor INTEGER NOT NULL REFERENCES actors (id),
      line INTEGER,               -- of the imported file
      evidence TEXT,              -- JSON: what a rule saw: [{field, value, condition}]
      at INTEGER NOT NULL,
      PRIMARY KEY (favorite, number)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX causes_by_actor ON causes (actor, favorite)",
    """
    CREATE TABLE tags (
      favorite INTEGER NOT NULL REFERENCES favorites (entity),
      tag TEXT NOT NULL,
      PRIMARY KEY (favorite, tag)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX tags_by_tag ON tags (tag, favorite)",
    """
    CREATE TABLE refusals (
      -- "I said no": no rule, script, refresh or import makes these favorites.
      kind INTEGER NOT NULL REFERENCES kinds (id),
      key TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE aliases (
      -- Old keys of entities whose key changed; a look-up by the old key finds the new one.
      kind INTEGER NOT NULL REFERENCES kinds (id),
      key TEXT NOT NULL,          -- the old key
      target TEXT NOT NULL,       -- the key today
      at INTEGER NOT NULL,
      PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX aliases_by_target ON aliases (kind, target)",
    """
    CREATE TABLE runs (
      -- Changes that belong together: one load, one script, one undo.
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      title TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE history (
      -- Every change of favorites and refusals, in order. Rows are never deleted.
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      action TEXT NOT NULL,       -- star, unstar, cause, uncause, tag, untag, note, refuse, allow, rekey, undo
      kind INTEGER NOT NULL REFERENCES kinds (id),
      entity INTEGER,             -- rowid in the kind's table
      key TEXT,                   -- where the entity was never seen
      actor INTEGER NOT NULL REFERENCES actors (id),
      line INTEGER,               -- of the imported file
      run INTEGER REFERENCES runs (id),
      detail TEXT,                -- JSON: what it takes to undo this
      undone_by INTEGER           -- the change that took this one back
    ) STRICT
    """,
    "CREATE INDEX history_by_entity ON history (entity)",
    "CREATE INDEX history_by_run ON history (run) WHERE run IS NOT NULL",
    "CREATE INDEX history_by_undo ON history (undone_by) WHERE undone_by IS NOT NULL",
    """
    CREATE TABLE counters (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL      -- 'entity': the last rowid that was given to an entity
    ) STRICT, WITHOUT ROWID
    """,
    "INSERT INTO counters (name, value) VALUES ('entity', 0)",
    """
    CREATE TABLE settings (
      -- What the program keeps for itself, such as the last good text of a rules file.
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE VIEW why AS
      -- Each favorite's causes as people read them.
      SELECT kinds.name AS kind, favorites.entity, actors.origin AS by, actors.name, actors.version,
        strftime('%Y-%m-%dT%H:%M:%SZ', causes.at, 'unixepoch') AS at, causes.evidence
      FROM favorites
      JOIN kinds ON kinds.id = favorites.kind
      JOIN causes ON causes.favorite = favorites.entity
      JOIN actors ON actors.id = causes.actor
    """,
    """
    CREATE VIEW changes AS
      -- The history as people read it.
      SELECT history.id, strftime('%Y-%m-%dT%H:%M:%SZ', history.at, 'unixepoch') AS at,
        history.action, kinds.name AS kind, history.entity, history.key, actors.origin AS by,
        actors.name, actors.version, runs.title AS run, history.undone_by IS NOT NULL AS undone
      FROM history
      JOIN kinds ON kinds.id = history.kind
      JOIN actors ON actors.id = history.actor
      LEFT JOIN runs ON runs.id = history.run
    """,
  ]
}
