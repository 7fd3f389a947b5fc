// Short cuts that save Swift several calls each, and the few that hide an unusual tag.
#include "internal.h"

static char null_sentinel;

int starling_intern(lua_State *L, const char *text, size_t length) {
  lua_pushlstring(L, text, length);        // [-0, +1, m]
  return luaL_ref(L, LUA_REGISTRYINDEX);  // [-1, +0, m]
}

void starling_push_key(lua_State *L, int key) { lua_rawgeti(L, LUA_REGISTRYINDEX, key); }

int starling_push_field(lua_State *L, int index, int key) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);  // [-0, +1, -]
  return lua_rawget(L, index);             // [-1, +1, -]
}

void starling_set_bytes(lua_State *L, int table, int key, const char *bytes, size_t length) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);
  lua_pushlstring(L, bytes, length);
  lua_rawset(L, table);  // [-2, +0, m]
}

void starling_set_integer(lua_State *L, int table, int key, lua_Integer value) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);
  lua_pushinteger(L, value);
  lua_rawset(L, table);
}

void starling_set_number(lua_State *L, int table, int key, lua_Number value) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);
  lua_pushnumber(L, value);
  lua_rawset(L, table);
}

void starling_set_boolean(lua_State *L, int table, int key, int value) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);
  lua_pushboolean(L, value);
  lua_rawset(L, table);
}

void starling_set_key(lua_State *L, int table, int key, int text) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);
  lua_rawgeti(L, LUA_REGISTRYINDEX, text);
  lua_rawset(L, table);
}

void starling_set_null(lua_State *L, int table, int key) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);
  starling_push_null(L);
  lua_rawset(L, table);
}

void starling_push_null(lua_State *L) { lua_pushlightuserdata(L, &null_sentinel); }

bool starling_is_null(lua_State *L, int index) {
  return lua_touserdata(L, index) == &null_sentinel;
}

void starling_mark_array(lua_State *L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, host_of(L)->array_marker);
  lua_setmetatable(L, -2);  // [-1, +0, -]
}

bool starling_is_marked_array(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;  // [-0, +(0|1), -]
  lua_rawgeti(L, LUA_REGISTRYINDEX, host_of(L)->array_marker);
  bool marked = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return marked;
}

int starling_new_reference(lua_State *L) { return luaL_ref(L, LUA_REGISTRYINDEX); }

void starling_push_reference(lua_State *L, int reference) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
}

void starling_drop_reference(starling_host *host, int reference) {
  lua_State *L = host->running;
  if (host->is_lost) return;  // the registry may be in no order
  if (lua_checkstack(L, 4)) luaL_unref(L, LUA_REGISTRYINDEX, reference);  // [-0, +0, -]
}

// lua_next raises for a key that the table does not have. Here the key is the one it gave, and no
// Lua code runs between two steps: starling_call refuses while a table is being walked.
bool starling_next(lua_State *L, int table) { return lua_next(L, table) != 0; }

static void push_part(lua_State *L, const char **path, const char *end) {
  const char *dot = memchr(*path, '.', (size_t)(end - *path));
  const char *stop = dot != NULL ? dot : end;
  lua_pushlstring(L, *path, (size_t)(stop - *path));
  *path = dot != NULL ? dot + 1 : end;
}

void starling_set_path(lua_State *L, const char *path, size_t length) {
  const char *end = path + length;
  int value = lua_gettop(L);
  lua_pushglobaltable(L);
  push_part(L, &path, end);
  while (path < end) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TTABLE) {  // table, name, value
      lua_pop(L, 1);
      lua_createtable(L, 0, 8);
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, -5);
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
    push_part(L, &path, end);
  }
  lua_pushvalue(L, value);
  lua_rawset(L, -3);
  lua_settop(L, value - 1);
}

bool starling_push_global(lua_State *L, const char *path, size_t length) {
  const char *end = path + length;
  lua_pushglobaltable(L);
  while (path < end && lua_type(L, -1) == LUA_TTABLE) {
    push_part(L, &path, end);
    lua_rawget(L, -2);
    lua_remove(L, -2);
  }
  return path == end && !lua_isnil(L, -1);
}

void starling_push_user_globals(lua_State *L) {
  int reference = host_of(L)->user_globals;
  if (reference == 0) lua_pushglobaltable(L);
  else lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
}

void starling_pop(lua_State *L, int top) { lua_settop(L, top); }

void starling_cut(lua_State *L, int first, int count) {
  if (count <= 0) return;
  lua_rotate(L, first, -count);   // [-0, +0, -]
  lua_settop(L, -(count + 1));
}

int starling_step_over(lua_State *L, int key) {
  int pushed = lua_gettop(L) - (key + 1);
  if (pushed > 0) lua_rotate(L, key, pushed);
  else pushed = 0;
  lua_settop(L, key + pushed);
  return key + pushed;
}
