// Strict global variables: a misspelt name is an error that says which name was meant.
#include <ctype.h>

#include "internal.h"

enum { LONGEST = 40, FAR = 3 };

static int smaller(int a, int b) { return a < b ? a : b; }

// Edits between two short names, with exchanged neighbours as one; case alone costs nothing much.
static int distance(const char *a, size_t m, const char *b, size_t n) {
  int rows[3][LONGEST + 1];
  int *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= n; j++) last[j] = (int)j;
  for (size_t i = 1; i <= m; i++) {
    row[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      row[j] = smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + !same);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = smaller(row[j], before[j - 2] + 1);
    }
    int *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[n];
}

// Puts the name in the table at `table` that is nearest to `name`, and nearer than what is there, at
// `found`; answers how near it is.
static int find_nearest(lua_State *L, int table, const char *name, size_t length, int found,
                        int best) {
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    size_t other_length;
    const char *other = lua_tolstring(L, -1, &other_length);
    if (other_length > LONGEST) continue;
    int edits = distance(name, length, other, other_length);
    if (edits >= (int)length) continue;  // nothing of the name is left in it
    bool earlier = edits == best && lua_isstring(L, found) &&
                   strcmp(other, lua_tostring(L, found)) < 0;  // the same answer every time
    if (edits < best || earlier) {
      best = edits;
      lua_pushvalue(L, -1);
      lua_replace(L, found);
    }
  }
  return best;
}

// Pushes the global's name that is nearest to `name`, or answers false.
static bool push_nearest(lua_State *L, const char *name, size_t length) {
  if (length > LONGEST) return false;
  lua_pushglobaltable(L);
  starling_push_user_globals(L);
  lua_pushnil(L);  // the best one so far
  int found = lua_gettop(L), best = length <= 3 ? 2 : FAR;
  best = find_nearest(L, found - 2, name, length, found, best);
  find_nearest(L, found - 1, name, length, found, best);
  lua_replace(L, found - 2);
  lua_pop(L, 1);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

static _Noreturn void refuse(lua_State *L, const char *what) {
  size_t length;
  starling_tostring(L, 2);
  lua_replace(L, 2);
  const char *name = lua_tolstring(L, 2, &length);
  luaL_where(L, 1);
  lua_pushfstring(L, "%s '%s'", what, name);
  if (push_nearest(L, name, length)) {
    lua_pushfstring(L, "; did you mean '%s'?", lua_tostring(L, -1));
    lua_remove(L, -2);
    lua_concat(L, 3);
  } else {
    lua_concat(L, 2);
  }
  lua_error(L);
  __builtin_unreachable();
}

// Upvalue 1: the names that were defined, nil or not.
static bool is_declared(lua_State *L) {
  lua_pushvalue(L, 2);
  bool declared = lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL;
  lua_pop(L, 1);
  return declared;
}

static int read_undefined(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING || is_declared(L)) return 0;
  refuse(L, "undefined global");
}

static bool is_called_from_main_chunk(lua_State *L) {
  lua_Debug caller;
  return lua_getstack(L, 1, &caller) && lua_getinfo(L, "S", &caller) && *caller.what != 'L';
}

static int define(lua_State *L) {
  starling_host *host = host_of(L);
  if (host->globals == STARLING_GLOBALS_CLOSED)
    refuse(L, "no global can be defined here (write 'local'):");
  if (lua_type(L, 2) == LUA_TSTRING && !is_declared(L)) {
    if (!is_called_from_main_chunk(L)) refuse(L, "a function assigns the undefined global");
    lua_pushvalue(L, 2);
    lua_pushboolean(L, 1);
    lua_rawset(L, lua_upvalueindex(1));
  }
  lua_settop(L, 3);
  starling_push_user_globals(L);
  lua_replace(L, 1);
  lua_rawset(L, 1);
  return 0;
}

void starling_close_globals(lua_State *L, starling_host *host) {
  if (host->globals == STARLING_GLOBALS_OPEN) return;
  lua_pushglobaltable(L);
  lua_createtable(L, 0, 3);
  lua_createtable(L, 0, 0);  // declared
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, read_undefined, 1);
  lua_setfield(L, -3, "__index");
  lua_pushcclosure(L, define, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

// What code defines goes to a table of its own, which the globals ask for what they lack: they keep
// their size.
void starling_seal_globals(lua_State *L, starling_host *host) {
  if (host->globals == STARLING_GLOBALS_OPEN || !lua_getmetatable(L, -1)) return;
  lua_getfield(L, -1, "__index");
  lua_getupvalue(L, -1, 1);  // declared
  lua_pushcclosure(L, define, 1);
  lua_setfield(L, -3, "__newindex");
  lua_createtable(L, 0, 0);  // globals, metatable, reading, the user's own
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  host->user_globals = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_setfield(L, -3, "__index");
  lua_pop(L, 2);
}
