// Table functions (Lua manual 5.4, 6.6) whose loops a deadline can end. They honor metamethods, so
// a `__len` that lies makes them long, not endless.
#include "internal.h"

enum { READ = 1, WRITE = 2, LENGTH = 4 };

static bool has_field(lua_State *L, const char *name, int below) {
  lua_pushstring(L, name);
  return lua_rawget(L, -below) != LUA_TNIL;
}

// A table, or a value whose metatable answers for what is needed.
static void check_table(lua_State *L, int index, int what) {
  if (lua_type(L, index) == LUA_TTABLE) return;
  int below = 1;
  if (lua_getmetatable(L, index) && (!(what & READ) || has_field(L, "__index", ++below)) &&
      (!(what & WRITE) || has_field(L, "__newindex", ++below)) &&
      (!(what & LENGTH) || has_field(L, "__len", ++below))) {
    lua_pop(L, below);
    return;
  }
  luaL_checktype(L, index, LUA_TTABLE);
}

static lua_Integer length_of(lua_State *L, int index, int what) {
  check_table(L, index, what | LENGTH);
  return luaL_len(L, index);
}

// The length of argument 1, which must be readable and writable.
lua_Integer starling_table_length(lua_State *L) { return length_of(L, 1, READ | WRITE); }

static int table_insert(lua_State *L) {
  starling_host *host = host_of(L);
  lua_Integer position, end = length_of(L, 1, READ | WRITE);
  end = (lua_Integer)((lua_Unsigned)end + 1);
  switch (lua_gettop(L)) {
    case 2: position = end; break;
    case 3:
      position = luaL_checkinteger(L, 2);
      luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2,
                    "position out of bounds");
      for (lua_Integer i = end; i > position; i--) {
        poll(L, host);
        lua_geti(L, 1, i - 1);
        lua_seti(L, 1, i);
      }
      break;
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, position);
  return 0;
}

static int table_remove(lua_State *L) {
  starling_host *host = host_of(L);
  lua_Integer size = length_of(L, 1, READ | WRITE), position = luaL_optinteger(L, 2, size);
  if (position != size)
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size, 1,
                  "position out of bounds");
  lua_geti(L, 1, position);
  for (; position < size; position++) {
    poll(L, host);
    lua_geti(L, 1, position + 1);
    lua_seti(L, 1, position);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static void move_up(lua_State *L, starling_host *host, lua_Integer from, lua_Integer end,
                    lua_Integer to, int target) {
  for (lua_Integer i = 0; i <= end - from; i++) {
    poll(L, host);
    lua_geti(L, 1, from + i);
    lua_seti(L, target, to + i);
  }
}

static void move_down(lua_State *L, starling_host *host, lua_Integer from, lua_Integer end,
                      lua_Integer to, int target) {
  for (lua_Integer i = end - from; i >= 0; i--) {
    poll(L, host);
    lua_geti(L, 1, from + i);
    lua_seti(L, target, to + i);
  }
}

static int table_move(lua_State *L) {
  starling_host *host = host_of(L);
  lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, READ);
  check_table(L, target, WRITE);
  if (end >= from) {
    luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
    luaL_argcheck(L, to <= LUA_MAXINTEGER - (end - from + 1) + 1, 4, "destination wrap around");
    bool apart = to > end || to <= from || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    if (apart) move_up(L, host, from, end, to, target);
    else move_down(L, host, from, end, to, target);
  }
  lua_pushvalue(L, target);
  return 1;
}

static void add_element(lua_State *L, luaL_Buffer *buffer, lua_Integer i) {
  poll(L, host_of(L));
  lua_geti(L, 1, i);
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", starling_typename(L, -1),
               (LUAI_UACINT)i);
  luaL_addvalue(buffer);
}

static int table_concat(lua_State *L) {
  luaL_Buffer buffer;
  size_t separator_length;
  lua_Integer last = length_of(L, 1, READ);
  const char *separator = luaL_optlstring(L, 2, "", &separator_length);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, last);
  luaL_buffinit(L, &buffer);
  for (; i < last; i++) {
    add_element(L, &buffer, i);
    luaL_addlstring(&buffer, separator, separator_length);
  }
  if (i == last) add_element(L, &buffer, i);
  luaL_pushresult(&buffer);
  return 1;
}

static int table_unpack(lua_State *L) {
  starling_host *host = host_of(L);
  lua_Integer i = luaL_optinteger(L, 2, 1);
  lua_Integer end = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (i > end) return 0;
  lua_Unsigned count = (lua_Unsigned)end - (lua_Unsigned)i;
  if (count >= (unsigned int)INT32_MAX || !lua_checkstack(L, (int)(++count)))
    return luaL_error(L, "too many results to unpack");
  for (; i < end; i++) {
    poll(L, host);
    lua_geti(L, 1, i);
  }
  lua_geti(L, 1, end);
  return (int)count;
}

static const luaL_Reg functions[] = {
    {"concat", table_concat}, {"insert", table_insert}, {"move", table_move},
    {"remove", table_remove}, {"unpack", table_unpack}, {NULL, NULL},
};

void starling_add_table(lua_State *L) {
  luaL_setfuncs(L, functions, 0);
  starling_add_sort(L);
}
