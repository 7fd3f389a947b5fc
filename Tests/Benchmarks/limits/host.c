/* The limit for the favorites API: functions of C on the same database, with the statements that
   the store has, prepared once, and no checks beyond the arguments' types. It knows one kind, news.

   host DB SCRIPT ARGUMENT... */
#include "searches.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>
#include <time.h>

static sqlite3 *db;
static sqlite3_stmt *contains_statement, *find_statement, *insert_statement, *favorite_statement,
  *unfavorite_statement, *cause_statement, *uncause_statement, *history_statement,
  *unhistory_statement, *counter_statement, *each_statement, *tags_statement;
static sqlite3_int64 kind, actor, last_entity;

static const char *const fields[] = {"link",  "title",      "summary",  "author",
                                     "image", "categories", "published"};
enum { field_count = 7 };

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

static int contains(lua_State *L) {
  size_t length;
  luaL_checkstring(L, 1);
  const char *key = luaL_checklstring(L, 2, &length);
  bind(contains_statement, 1, key, length);
  int code = sqlite3_step(contains_statement);
  sqlite3_reset(contains_statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE) return luaL_error(L, "%s", sqlite3_errmsg(db));
  lua_pushboolean(L, code == SQLITE_ROW);
  return 1;
}

/* The rowid of the entity at the index, inserted when it is new. */
static sqlite3_int64 store_entity(lua_State *L, int entity, const char *key, size_t length) {
  bind(find_statement, 1, key, length);
  sqlite3_int64 row = sqlite3_step(find_statement) == SQLITE_ROW
                        ? sqlite3_column_int64(find_statement, 0) : 0;
  sqlite3_reset(find_statement);
  if (row) return row;
  row = ++last_entity;
  sqlite3_bind_int64(insert_statement, 1, row);
  bind(insert_statement, 2, key, length);
  sqlite3_bind_int64(insert_statement, 3, time(NULL));
  for (int i = 0; i < field_count; i++) {
    switch (lua_getfield(L, entity, fields[i])) {
      case LUA_TSTRING: {
        size_t size;
        const char *text = lua_tolstring(L, -1, &size);
        bind(insert_statement, 4 + i, text, size);
        break;
      }
      case LUA_TNUMBER: sqlite3_bind_int64(insert_statement, 4 + i, lua_tointeger(L, -1)); break;
      default: sqlite3_bind_null(insert_statement, 4 + i);
    }
  }
  run(insert_statement);
  lua_pop(L, field_count);
  return row;
}

static void star(sqlite3_int64 row) {
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

static void unstar(sqlite3_int64 row) {
  sqlite3_bind_int64(unhistory_statement, 1, time(NULL));
  sqlite3_bind_int64(unhistory_statement, 2, row);
  sqlite3_bind_int64(unhistory_statement, 3, actor);
  run(unhistory_statement);
  sqlite3_bind_int64(uncause_statement, 1, row);
  run(uncause_statement);
  sqlite3_bind_int64(unfavorite_statement, 1, row);
  run(unfavorite_statement);
}

static int is_favorite(const char *key, size_t length) {
  bind(contains_statement, 1, key, length);
  int code = sqlite3_step(contains_statement);
  sqlite3_reset(contains_statement);
  return code == SQLITE_ROW;
}

static void write_counter(void) {
  sqlite3_bind_int64(counter_statement, 1, last_entity);
  run(counter_statement);
}

/* Inside a transaction; its end writes the counter of rowids. */
static int insert(lua_State *L) {
  size_t length;
  luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_getfield(L, 2, "link");
  const char *key = luaL_checklstring(L, -1, &length);
  int was = is_favorite(key, length);
  if (!was) star(store_entity(L, 2, key, length));
  lua_pushboolean(L, !was);
  return 1;
}

static int toggle(lua_State *L) {
  size_t length;
  luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_getfield(L, 2, "link");
  const char *key = luaL_checklstring(L, -1, &length);
  run_sql(db, "BEGIN IMMEDIATE");
  sqlite3_int64 before = last_entity;
  sqlite3_int64 row = store_entity(L, 2, key, length);
  int was = is_favorite(key, length);
  if (was) unstar(row);
  else star(row);
  if (last_entity != before) write_counter();
  run_sql(db, "COMMIT");
  lua_pushboolean(L, !was);
  return 1;
}

/* fetch(search, limit), where a search is one that `saved` gave. */
static int fetch(lua_State *L) {
  search *search = lua_touserdata(L, 1);
  lua_Integer limit = luaL_checkinteger(L, 2);
  lua_createtable(L, (int)limit, 0);
  sqlite3_bind_int64(search->statement, 1, limit);
  for (int i = 1; sqlite3_step(search->statement) == SQLITE_ROW; i++) {
    push_row(L, search->statement, search->rows, tags_statement);
    lua_rawseti(L, -2, i);
  }
  sqlite3_reset(search->statement);
  return 1;
}

static int saved(lua_State *L) {
  lua_pushlightuserdata(L, find_search(db, luaL_checkstring(L, 1)));
  return 1;
}

static int next_row(lua_State *L) {
  if (sqlite3_step(each_statement) != SQLITE_ROW) {
    sqlite3_reset(each_statement);
    return 0;
  }
  push_row(L, each_statement, &news, tags_statement);
  return 1;
}

static int each(lua_State *L) {
  luaL_checkstring(L, 1);
  lua_getfield(L, 2, "limit");
  sqlite3_bind_int64(each_statement, 1, kind);
  sqlite3_bind_int64(each_statement, 2, luaL_checkinteger(L, -1));
  lua_pushcfunction(L, next_row);
  return 1;
}

static int transaction(lua_State *L) {
  run_sql(db, "BEGIN");
  sqlite3_int64 before = last_entity;
  lua_settop(L, 1);
  lua_call(L, 0, 0);
  if (last_entity != before) write_counter();
  run_sql(db, "COMMIT");
  return 0;
}

static void open_database(const char *path) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  check(db, sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), path);
  run_sql(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
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
        " categories, published) VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
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
  each_statement = select_rows(
    db, &news,
    "favorites f CROSS JOIN news e ON e.rowid = f.entity WHERE f.kind = ?1"
    " ORDER BY f.starred_at DESC, f.entity DESC LIMIT ?2");
  tags_statement = prepare(db, "SELECT tag FROM tags WHERE favorite = ?1 ORDER BY tag");
}

static const luaL_Reg functions[] = {
  {"contains", contains}, {"insert", insert}, {"toggle", toggle},
  {"saved", saved},       {"fetch", fetch},   {"each", each},
  {"transaction", transaction},               {NULL, NULL}};

int main(int argc, char **argv) {
  if (argc < 3) fail("usage", "host DB SCRIPT ARGUMENT...");
  open_database(argv[1]);
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_newlib(L, functions);
  lua_setglobal(L, "favorites");
  lua_createtable(L, argc - 3, 0);
  for (int i = 3; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 2);
  }
  lua_setglobal(L, "arg");
  if (luaL_dofile(L, argv[2])) fail(argv[2], lua_tostring(L, -1));
  lua_close(L);
  return 0;
}
