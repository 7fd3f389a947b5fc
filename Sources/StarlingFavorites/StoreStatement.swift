/// The statements that do not depend on a kind. Each is compiled once, at its first use.
///
/// A test reads the plan of every one: none may scan a table.
enum StoreStatement: Int, CaseIterable {
  case isFavorite, kindOfFavorite, insertFavorite, deleteFavorite, favoriteState, setNote
  case causesOf, causesAsJSON, insertCause, replaceCause, deleteCause, deleteCauses,
    favoritesOfActor
  case tagsOf, insertTag, deleteTag, deleteTags
  case isRefused, insertRefusal, deleteRefusal, refusalsOf, kindHasRefusals
  case aliasTarget, insertAlias, retargetAliases, deleteAlias, kindHasAliases
  case findActor, insertActor, actor, actorVersions
  case findSource, insertSource, source
  case readCounter, writeCounter
  case setting, writeSetting, deleteSetting
  case insertRun, insertHistory, insertUnstarHistory, markUndone, unmarkUndone, noteBack
  case historySince, historyBefore, historyOfEntity, historyOfRun, historyRow, lastUndoable
  case undoableOfRun, keyRuleOfRun, takenBackBy, accountStart, accountOfEntity, accountOfTags
  case accountOfUnseen
  case accountDetail, snapshot, snapshotCauses
  case restoreFavorite, restoreCauses, restoreTags, entityHasHistory
  case evidence, texts, detail, detailCause
  case insertWords, deleteWords
  case items, writeItems

  /// What stands in a file as JSON and is none, such as in one that a disk has damaged, is absent.
  private static let json = "CASE WHEN json_valid(?1) THEN ?1 ELSE '{}' END"

  /// Members of the object that is bound.
  private static func members(_ names: [String]) -> String {
    "SELECT " + names.map { "(\(json)) ->> '\($0)'" }.joined(separator: ", ")
  }

  private static let historyColumns = """
    SELECT h.id, h.at, h.action, h.kind, h.entity, h.key, h.actor, h.line, h.run, h.detail,
      h.undone_by FROM history h
    """

  /// The same for those who only tell of changes: a note of an older version may be long, and none of
  /// it is told.
  private static let toldColumns = """
    SELECT h.id, h.at, h.action, h.kind, h.entity, h.key, h.actor, h.line, h.run,
      CASE WHEN h.action <> 'note' THEN h.detail END, h.undone_by FROM history h
    """

  private static let accountColumns = """
    SELECT h.id, h.at, h.action, h.kind, h.entity, h.key, h.actor, h.line, h.run, h.detail,
      h.undone_by, EXISTS (SELECT 1 FROM history o WHERE o.undone_by = h.id) FROM history h
    """

  /// The same without the notes, which may be most of what a history has.
  private static let accountColumnsOfTags = """
    SELECT h.id, h.at, h.action, h.kind, h.entity, h.key, h.actor, h.line, h.run,
      CASE WHEN h.action <> 'note' THEN h.detail END, h.undone_by,
      EXISTS (SELECT 1 FROM history o WHERE o.undone_by = h.id) FROM history h
    """

  var sql: String {
    switch self {
    case .isFavorite: "SELECT 1 FROM favorites WHERE entity = ?1"
    case .kindOfFavorite: "SELECT kind FROM favorites WHERE entity = ?1"
    case .insertFavorite:
      "INSERT INTO favorites (entity, kind, starred_at, note) VALUES (?1, ?2, ?3, ?4)"
    case .deleteFavorite: "DELETE FROM favorites WHERE entity = ?1"
    case .favoriteState: "SELECT starred_at, note FROM favorites WHERE entity = ?1"
    case .setNote: "UPDATE favorites SET note = ?2 WHERE entity = ?1"

    case .causesOf:
      "SELECT number, actor, line, evidence, at FROM causes WHERE favorite = ?1 ORDER BY number"
    case .causesAsJSON:
      """
      SELECT number, actor, line, CASE WHEN json_valid(evidence) THEN json(evidence) END, at
      FROM causes WHERE favorite = ?1 ORDER BY number
      """
    case .insertCause:
      """
      INSERT INTO causes (favorite, number, actor, line, evidence, at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """
    case .replaceCause:
      """
      UPDATE causes SET actor = ?3, line = ?4, evidence = ?5, at = ?6
      WHERE favorite = ?1 AND number = ?2
      """
    case .deleteCause: "DELETE FROM causes WHERE favorite = ?1 AND number = ?2"
    case .deleteCauses: "DELETE FROM causes WHERE favorite = ?1"
    case .favoritesOfActor: "SELECT favorite FROM causes WHERE actor = ?1"

    case .tagsOf: "SELECT tag FROM tags WHERE favorite = ?1 ORDER BY tag"
    case .insertTag: "INSERT OR IGNORE INTO tags (favorite, tag) VALUES (?1, ?2)"
    case .deleteTag: "DELETE FROM tags WHERE favorite = ?1 AND tag = ?2"
    case .deleteTags: "DELETE FROM tags WHERE favorite = ?1"

    case .isRefused: "SELECT 1 FROM refusals WHERE kind = ?1 AND key = ?2"
    case .insertRefusal: "INSERT OR IGNORE INTO refusals (kind, key, at) VALUES (?1, ?2, ?3)"
    case .deleteRefusal: "DELETE FROM refusals WHERE kind = ?1 AND key = ?2"
    case .refusalsOf: "SELECT key, at FROM refusals WHERE kind = ?1 ORDER BY key"
    case .kindHasRefusals: "SELECT 1 FROM refusals WHERE kind = ?1 LIMIT 1"

    case .aliasTarget: "SELECT target FROM aliases WHERE kind = ?1 AND key = ?2"
    case .insertAlias:
      "INSERT OR REPLACE INTO aliases (kind, key, target, at) VALUES (?1, ?2, ?3, ?4)"
    case .retargetAliases: "UPDATE aliases SET target = ?3 WHERE kind = ?1 AND target = ?2"
    case .deleteAlias: "DELETE FROM aliases WHERE kind = ?1 AND key = ?2"
    case .kindHasAliases: "SELECT 1 FROM aliases WHERE kind = ?1 LIMIT 1"

    case .findActor: "SELECT id FROM actors WHERE origin = ?1 AND name = ?2 AND version = ?3"
    case .insertActor: "INSERT INTO actors (origin, name, version) VALUES (?1, ?2, ?3)"
    case .actor: "SELECT origin, name, version FROM actors WHERE id = ?1"
    case .actorVersions: "SELECT id FROM actors WHERE origin = ?1 AND name = ?2"

    case .findSource: "SELECT id FROM sources WHERE name = ?1"
    case .insertSource: "INSERT INTO sources (name) VALUES (?1)"
    case .source: "SELECT name FROM sources WHERE id = ?1"

    case .readCounter: "SELECT value FROM counters WHERE name = 'entity'"
    case .writeCounter: "UPDATE counters SET value = ?1 WHERE name = 'entity'"

    case .setting: "SELECT value FROM settings WHERE name = ?1"
    case .writeSetting: "INSERT OR REPLACE INTO settings (name, value) VALUES (?1, ?2)"
    case .deleteSetting: "DELETE FROM settings WHERE name = ?1"

    case .insertRun: "INSERT INTO runs (at, title) VALUES (?1, ?2)"
    case .insertHistory:
      """
      INSERT INTO history (at, action, kind, entity, key, actor, line, run, detail)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """
    case .insertUnstarHistory:
      """
      INSERT INTO history (at, action, kind, entity, actor, line, run, detail)
      SELECT ?1, 'unstar', f.kind, f.entity, ?3, ?4, ?5, json_object(
        'starred_at', f.starred_at, 'note', f.note,
        'tags', (SELECT json_group_array(tag) FROM tags WHERE favorite = ?2),
        'causes', (SELECT json_group_array(json_array(number, actor, line, evidence, at))
          FROM causes WHERE favorite = ?2),
        'refused', ?6)
      FROM favorites f WHERE f.entity = ?2
      """
    case .markUndone: "UPDATE history SET undone_by = ?2 WHERE id = ?1"
    case .unmarkUndone: "UPDATE history SET undone_by = NULL WHERE undone_by = ?1"

    case .noteBack:
      """
      UPDATE history SET detail = json_set(
        CASE WHEN json_valid(detail) THEN detail ELSE '{}' END, '$.back', json(?2))
      WHERE id = ?1
      """
    case .historySince: Self.toldColumns + " WHERE h.id > ?1 ORDER BY h.id LIMIT ?2"
    case .historyBefore: Self.toldColumns + " WHERE h.id < ?1 ORDER BY h.id DESC LIMIT ?2"
    case .historyOfEntity:
      Self.toldColumns + " WHERE h.entity = ?1 AND h.id < ?2 ORDER BY h.id DESC LIMIT ?3"
    case .historyOfRun:
      Self.toldColumns + " WHERE h.run = ?1 AND h.id < ?2 ORDER BY h.id DESC LIMIT ?3"
    case .historyRow: Self.historyColumns + " WHERE h.id = ?1"
    case .lastUndoable:
      Self.historyColumns + """
         WHERE h.id <= (SELECT max(id) FROM history) AND h.undone_by IS NULL
        ORDER BY h.id DESC LIMIT 1
        """
    case .undoableOfRun:
      Self.historyColumns + " WHERE h.run = ?1 AND h.undone_by IS NULL ORDER BY h.id DESC"
    case .keyRuleOfRun:
      Self.historyColumns + """
         WHERE h.run = ?1 AND h.undone_by IS NULL AND h.action = 'rekey' AND h.entity IS NULL
          AND h.key IS NULL ORDER BY h.id DESC LIMIT 1
        """
    case .takenBackBy: Self.historyColumns + " WHERE h.undone_by = ?1"

    case .accountStart:
      """
      SELECT h.id FROM history h WHERE h.entity = ?1 AND h.id < ?2 AND h.action = 'unstar'
        AND h.undone_by IS NULL
        AND NOT EXISTS (SELECT 1 FROM history o WHERE o.undone_by = h.id)
      ORDER BY h.id DESC LIMIT 1
      """
    case .accountOfEntity:
      Self.accountColumns + " WHERE h.entity = ?1 AND h.id >= ?2 ORDER BY h.id"
    case .accountOfTags:
      Self.accountColumnsOfTags + " WHERE h.entity = ?1 AND h.id >= ?2 ORDER BY h.id"
    case .accountOfUnseen:
      Self.accountColumns + """
         WHERE h.entity IS NULL AND h.kind = ?1 AND h.id >= ?2
          AND h.action IN ('refuse', 'allow', 'undo') ORDER BY h.id
        """
    case .accountDetail:
      Self.members(["moved", "undo", "refused", "note", "after", "of", "restored", "back"])
    case .snapshot: Self.members(["starred_at", "note"])
    case .snapshotCauses:
      """
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
      FROM json_each(\(Self.json), '$.causes')
      """

    case .restoreFavorite:
      """
      INSERT INTO favorites (entity, kind, starred_at, note)
      SELECT ?2, kind, detail ->> 'starred_at', detail ->> 'note' FROM history WHERE id = ?1
      """
    case .restoreCauses:
      """
      INSERT INTO causes (favorite, number, actor, line, evidence, at)
      SELECT ?2, c.value ->> 0, c.value ->> 1, c.value ->> 2, c.value ->> 3, c.value ->> 4
      FROM history h, json_each(h.detail, '$.causes') c WHERE h.id = ?1
      """
    case .restoreTags:
      """
      INSERT INTO tags (favorite, tag)
      SELECT ?2, t.value FROM history h, json_each(h.detail, '$.tags') t WHERE h.id = ?1
      """
    case .entityHasHistory: "SELECT 1 FROM history WHERE entity = ?1 LIMIT 1"

    case .evidence:
      """
      SELECT value ->> 'field', value ->> 'value', value ->> 'condition'
      FROM json_each(\(Self.json)) WHERE type = 'object'
      """
    case .texts: "SELECT value FROM json_each(\(Self.json), ?2)"
    case .detail:
      Self.members(["before", "after", "merge", "refusal"])
    case .insertWords: "INSERT INTO _search (rowid, title, text) VALUES (?1, ?2, ?3)"
    // The index has no copy of the texts, so it must be told what to forget.
    case .deleteWords:
      "INSERT INTO _search (_search, rowid, title, text) VALUES ('delete', ?1, ?2, ?3)"

    case .items: "SELECT items FROM _items WHERE source = ?1"
    case .writeItems: "INSERT OR REPLACE INTO _items (source, items) VALUES (?1, ?2)"

    case .detailCause:
      Self.members(["actor", "line", "evidence", "at", "number"])
    }
  }
}
