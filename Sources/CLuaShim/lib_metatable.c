// getmetatable, setmetatable and rawset (Lua manual 5.4, 6.1), such that a table that serves as a
// metatable never gets a finalizer or weak keys, now or later: finalizers run where no hook fires,
// and weak keys can make one collection take minutes.
//
// Lua reads `__mode` from the metatable at every collection, so looking once is not enough. A table
// that becomes a metatable is guarded: fields that are new to it pass through `guarded_write`. A
// table without a metatable gets the state's one guard. One that has a metatable already (a class
// that inherits) has it exchanged for a copy that scripts cannot reach, with the guard in it, and
// that getmetatable never shows.
#include "internal.h"

// Their addresses are keys that no script has: in a copy, the original; in what guards, true.
static const char copy_key = 0, guard_key = 0;

static bool is_forbidden(const char *name) {
  return strcmp(name, "__gc") == 0 || strcmp(name, "__mode") == 0;
}

// A table that is its own metatable gets its new field in the copy too. (table, key, value)
static void mirror(lua_State *L) {
  if (!lua_getmetatable(L, 1)) return;
  lua_rawgetp(L, -1, &copy_key);
  if (lua_rawequal(L, -1, 1)) {
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_rawset(L, -4);
  }
  lua_settop(L, 3);
}

// (table, key, value), as a __newindex; upvalue 1: the original's own, or nil.
static int guarded_write(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING && is_forbidden(lua_tostring(L, 2)))
    return luaL_error(L, "'%s' cannot be set once a table is a metatable", lua_tostring(L, 2));
  lua_settop(L, 3);
  int type = lua_type(L, lua_upvalueindex(1));
  if (type == LUA_TNIL) {
    // The virtual machine's words, with the place of the write.
    if (lua_isnil(L, 2)) return luaL_error(L, "table index is nil");
    if (lua_type(L, 2) == LUA_TNUMBER && !lua_rawequal(L, 2, 2))
      return luaL_error(L, "table index is NaN");
    mirror(L);
    lua_rawset(L, 1);  // [-2, +0, m]
    return 0;
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (type == LUA_TFUNCTION) {
    lua_call(L, 3, 0);
  } else {
    lua_remove(L, 2);
    lua_settable(L, 1);  // [-2, +0, e]
  }
  return 0;
}

static void push_guard(lua_State *L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, host_of(L)->metatable_guard);
}

// Whether the table on top is the guard or a copy with a guard.
static bool is_guarding(lua_State *L) {
  bool result = lua_rawgetp(L, -1, &guard_key) != LUA_TNIL;  // [-0, +1, -]
  lua_pop(L, 1);
  return result;
}

static void refuse_fields(lua_State *L, int index, bool weak_values_allowed) {
  lua_pushliteral(L, "__gc");
  if (lua_rawget(L, index) != LUA_TNIL) luaL_error(L, "'__gc' is not available here");
  lua_pushliteral(L, "__mode");
  if (lua_rawget(L, index) == LUA_TSTRING) {
    if (strchr(lua_tostring(L, -1), 'k') != NULL)
      luaL_error(L, "weak keys ('__mode' with \"k\") are not available here");
    if (!weak_values_allowed) luaL_error(L, "a metatable cannot be weak itself here");
  }
  lua_pop(L, 2);
}

// Pushes a copy of the metatable at `index`, with a guard for the table that will have it.
static void push_copy(lua_State *L, int index, bool guarded) {
  lua_createtable(L, 0, 8);
  lua_pushnil(L);
  while (lua_next(L, index)) {  // [-1, +(2|0), v]: nothing changes the table meanwhile
    poll(L, host_of(L));
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_pushvalue(L, index);
  lua_rawsetp(L, -2, &copy_key);  // [-1, +0, m]
  if (!guarded) return;
  lua_pushliteral(L, "__newindex");
  lua_pushliteral(L, "__newindex");
  lua_rawget(L, index);
  lua_pushcclosure(L, guarded_write, 1);
  lua_rawset(L, -3);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &guard_key);
}

// Makes sure that the table at `index` may serve as a metatable from now on.
static void guard(lua_State *L, int index) {
  if (lua_getmetatable(L, index)) {
    if (is_guarding(L)) {
      lua_pop(L, 1);
      return;
    }
    refuse_fields(L, lua_absindex(L, -1), false);
    push_copy(L, lua_absindex(L, -1), true);
    lua_setmetatable(L, index);
    lua_pop(L, 1);
  } else {
    push_guard(L);
    lua_setmetatable(L, index);
  }
}

// Pushes the metatable that a script may see, or nothing: neither the guard nor the mark of an empty
// array, which all such tables of the state share.
static bool push_shown(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  const void *address = lua_topointer(L, -1);
  if (address == host_of(L)->guard_address || address == host_of(L)->marker_address) {
    lua_pop(L, 1);
    return false;
  }
  if (lua_rawgetp(L, -1, &copy_key) == LUA_TNIL) lua_pop(L, 1);
  else lua_remove(L, -2);
  return true;
}

static int base_getmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (!push_shown(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushliteral(L, "__metatable");
  if (lua_rawget(L, -2) == LUA_TNIL) lua_pop(L, 1);
  return 1;
}

static bool is_used_as_metatable(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  bool result = is_guarding(L);
  lua_pop(L, 1);
  return result;
}

// Nearly every call: a table without a metatable gets one that serves others already, so that it has
// been looked at. It is not weak then, since weak ones are not guarded, and cannot become so.
static bool takes_known(lua_State *L) {
  if (lua_gettop(L) != 2 || lua_type(L, 1) != LUA_TTABLE || lua_type(L, 2) != LUA_TTABLE) return false;
  if (lua_getmetatable(L, 1) || !lua_getmetatable(L, 2)) {
    lua_settop(L, 2);
    return false;
  }
  bool is_guarded = lua_topointer(L, -1) == host_of(L)->guard_address || is_guarding(L);
  lua_settop(L, 2);
  return is_guarded;
}

static int base_setmetatable(lua_State *L) {
  if (takes_known(L)) {
    lua_setmetatable(L, 1);
    return 1;
  }
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  if (type != LUA_TNIL && type != LUA_TTABLE) luaL_typeerror(L, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  lua_settop(L, 2);
  bool is_metatable = is_used_as_metatable(L, 1);
  if (type == LUA_TNIL) {
    if (is_metatable) push_guard(L);
    else lua_pushnil(L);
  } else {
    // A table that is its own metatable guards itself by a copy.
    bool same = lua_rawequal(L, 1, 2);
    if (!is_used_as_metatable(L, 2)) refuse_fields(L, 2, !is_metatable && !same);
    lua_pushliteral(L, "__mode");
    bool weak = lua_rawget(L, 2) != LUA_TNIL;
    lua_pop(L, 1);
    if (is_metatable || same || weak) {
      push_copy(L, 2, is_metatable || same);
    } else {
      guard(L, 2);
      lua_pushvalue(L, 2);
    }
  }
  lua_setmetatable(L, 1);
  lua_settop(L, 1);
  return 1;
}

static int base_rawset(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (lua_type(L, 2) == LUA_TSTRING && is_forbidden(lua_tostring(L, 2)) &&
      is_used_as_metatable(L, 1))
    return luaL_error(L, "'%s' cannot be set once a table is a metatable", lua_tostring(L, 2));
  starling_refuse_sealed(L);
  lua_rawset(L, 1);
  return 1;
}

static const luaL_Reg functions[] = {
    {"getmetatable", base_getmetatable}, {"rawset", base_rawset},
    {"setmetatable", base_setmetatable}, {NULL, NULL},
};

void starling_add_metatable(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_pushnil(L);
  lua_pushcclosure(L, guarded_write, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &guard_key);
  host_of(L)->guard_address = lua_topointer(L, -1);
  host_of(L)->metatable_guard = luaL_ref(L, LUA_REGISTRYINDEX);
  luaL_setfuncs(L, functions, 0);
}
