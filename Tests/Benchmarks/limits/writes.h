/* The writes of the store, for the kind news: entity, favorite, cause, history, words of the search,
   with its statements, prepared once. Entities are tables of Lua. */
#ifndef WRITES_H
#define WRITES_H

#include <lauxlib.h>
#include <lua.h>
#include <string.h>
#include <time.h>

#include "limit.h"
#include "words.h"

static sqlite3 *db;
static sqlite3_stmt *contains_statement, *find_statement, *insert_statement, *favorite_statement,
  *unfavorite_statement, *cause_statement, *uncause_statement, *history_statement,
  *unhistory_statement, *counter_statement, *words_statement;
static sqlite3_int64 kind, actor, last_entity;

static const char *const fields[] = {"link",  "title",      "summary",  "author",
                                     "image", "categories", "published"};
enum { field_count = 7, title_field = 1 };

static char *title_words, *text_words;
static size_t words_room;

static sqlite3_int64 number(const char *sql) {
  sqlite3_stmt *statement = prepare(db, sql);
  check(db, sqlite3_step(statement), sql);
  sqlite3_int64 value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return value;
}

static void bind(sqlite3_stmt *statement, int place, const char *text, size_t length) {
  sqlite3_bind_text(statement, place, text, (int)length, SQLITE_STATIC);
}

static void run(sqlite3_stmt *statement) {
  check(db, sqlite3_step(statement), sqlite3_sql(statement));
  sqlite3_reset(statement);
}

static inline int is_favorite(const char *key, size_t length) {
  bind(contains_statement, 1, key, length);
  int code = sqlite3_step(contains_statement);
  sqlite3_reset(contains_statement);
  return code == SQLITE_ROW;
}

/* Room for the words of so many bytes of texts. */
static void make_room(size_t length) {
  if (3 * length + 16 <= words_room) return;
  words_room = 6 * length + 4096;
  title_words = realloc(title_words, words_room);
  text_words = realloc(text_words, words_room);
  if (!title_words || !text_words) fail("words", "no memory");
}

/* A list of texts at the top as JSON; its words go to `words`. The texts have nothing to escape. */
static char *list_as_json(lua_State *L, char **words) {
  static char json[4096];
  char *end = json;
  *end++ = '[';
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    if (end + length + 5 > json + sizeof json) fail("list", "is too long");
    if (i > 1) *end++ = ',';
    *end++ = '"';
    memcpy(end, text, length);
    end += length;
    *end++ = '"';
    *words = append_words(*words, text, length);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  *end++ = ']';
  *end = 0;
  return json;
}

static void write_words(sqlite3_int64 row, char *title_end, char *text_end) {
  sqlite3_bind_int64(words_statement, 1, row);
  bind(words_statement, 2, title_words, (size_t)(title_end - title_words));
  bind(words_statement, 3, text_words, (size_t)(text_end - text_words));
  run(words_statement);
}

static void insert_entity(lua_State *L, int entity, sqlite3_int64 row, const char *key, size_t length) {
  sqlite3_bind_int64(insert_statement, 1, row);
  bind(insert_statement, 2, key, length);
  sqlite3_bind_int64(insert_statement, 3, time(NULL));
  make_room(1 << 16);
  char *title_end = title_words, *text_end = text_words;
  for (int i = 0; i < field_count; i++) {
    switch (lua_getfield(L, entity, fields[i])) {
      case LUA_TSTRING: {
        size_t size;
        const char *text = lua_tolstring(L, -1, &size);
        bind(insert_statement, 4 + i, text, size);
        if (i == title_field) title_end = append_words(title_end, text, size);
        else if (i == 2 || i == 3) text_end = append_words(text_end, text, size);
        break;
      }
      case LUA_TNUMBER: sqlite3_bind_int64(insert_statement, 4 + i, lua_tointeger(L, -1)); break;
      case LUA_TTABLE: {
        const char *json = list_as_json(L, &text_end);
        bind(insert_statement, 4 + i, json, strlen(json));
        break;
      }
      default: sqlite3_bind_null(insert_statement, 4 + i);
    }
  }
  run(insert_statement);
  lua_pop(L, field_count);
  write_words(row, title_end, text_end);
}

/* The rowid of the entity at the index, inserted when it is new. */
static sqlite3_int64 store_entity(lua_State *L, int entity, const char *key, size_t length) {
  bind(find_statement, 1, key, length);
  sqlite3_int64 row = sqlite3_step(find_statement) == SQLITE_ROW
                        ? sqlite3_column_int64(find_statement, 0) : 0;
  sqlite3_reset(find_statement);
  if (row) return row;
  insert_entity(L, entity, ++last_entity, key, length);
  return last_entity;
}

static inline void star(sqlite3_int64 row) {
  sqlite3_int64 now = time(NULL);
  sqlite3_bind_int64(favorite_statement, 1, row);
  sqlite3_bind_int64(favorite_statement, 2, kind);
  sqlite3_bind_int64(favorite_statement, 3, now);
  run(favorite_statement);
  sqlite3_bind_int64(cause_statement, 1, row);
  sqlite3_bind_int64(cause_statement, 2, actor);
  sqlite3_bind_int64(cause_statement, 3, now);
  run(cause_statement);
  sqlite3_bind_int64(history_statement, 1, now);
  sqlite3_bind_int64(history_statement, 2, kind);
  sqlite3_bind_int64(history_statement, 3, row);
  sqlite3_bind_int64(history_statement, 4, actor);
  run(history_statement);
}

static inline void unstar(sqlite3_int64 row) {
  sqlite3_bind_int64(unhistory_statement, 1, time(NULL));
  sqlite3_bind_int64(unhistory_statement, 2, row);
  sqlite3_bind_int64(unhistory_statement, 3, actor);
  run(unhistory_statement);
  sqlite3_bind_int64(uncause_statement, 1, row);
  run(uncause_statement);
  sqlite3_bind_int64(unfavorite_statement, 1, row);
  run(unfavorite_statement);
}

static void write_counter(void) {
  sqlite3_bind_int64(counter_statement, 1, last_entity);
  run(counter_statement);
}

/* Opens a database that Starling made. */
static void open_writes(const char *path) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  check(db, sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), path);
  run_sql(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;"
              "INSERT OR IGNORE INTO actors (origin, name, version) VALUES ('script', 'host', '')");
  kind = number("SELECT id FROM kinds WHERE name = 'news'");
  actor = number("SELECT id FROM actors WHERE name = 'host'");
  last_entity = number("SELECT value FROM counters WHERE name = 'entity'");
  contains_statement = prepare(
    db, "SELECT 1 FROM favorites WHERE entity = (SELECT rowid FROM news WHERE key = ?1)");
  find_statement = prepare(
    db, "SELECT rowid, last_seen, link, title, summary, author, image, categories, published"
        " FROM news WHERE key = ?1");
  insert_statement = prepare(
    db, "INSERT INTO news (rowid, key, first_seen, last_seen, link, title, summary, author, image,"
        " categories, published, source)"
        " VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  words_statement = prepare(db, "INSERT INTO _search (rowid, title, text) VALUES (?1, ?2, ?3)");
  favorite_statement =
    prepare(db, "INSERT INTO favorites (entity, kind, starred_at) VALUES (?1, ?2, ?3)");
  unfavorite_statement = prepare(db, "DELETE FROM favorites WHERE entity = ?1");
  cause_statement =
    prepare(db, "INSERT INTO causes (favorite, number, actor, at) VALUES (?1, 1, ?2, ?3)");
  uncause_statement = prepare(db, "DELETE FROM causes WHERE favorite = ?1");
  history_statement = prepare(
    db, "INSERT INTO history (at, action, kind, entity, actor) VALUES (?1, 'star', ?2, ?3, ?4)");
  unhistory_statement = prepare(
    db,
    "INSERT INTO history (at, action, kind, entity, actor, detail)"
    " SELECT ?1, 'unstar', f.kind, f.entity, ?3, json_object('starred_at', f.starred_at, 'note',"
    " f.note, 'tags', (SELECT json_group_array(tag) FROM tags WHERE favorite = ?2), 'causes',"
    " (SELECT json_group_array(json_array(number, actor, line, evidence, at)) FROM causes"
    " WHERE favorite = ?2)) FROM favorites f WHERE f.entity = ?2");
  counter_statement = prepare(db, "UPDATE counters SET value = ?1 WHERE name = 'entity'");
}

#endif
