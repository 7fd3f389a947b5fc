/* The limit for the favorites API: functions of C on the same database, with the statements that
   the store has, prepared once, and no checks beyond the arguments' types. It knows one kind, news.

   host DB SCRIPT ARGUMENT... */
#include "searches.h"
#include "writes.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static sqlite3_stmt *each_statement, *tags_statement;

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
  open_writes(path);
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
