// Which functions a state has: an allow-list of the stock ones that end by themselves, and ours.
//
// Ours behave as the stock ones, but for what is different on purpose: StarlingLua's LuaDifference
// has the list, the fuzzer holds us to it.
#include <time.h>

#include "internal.h"

static const char *const base_names[] = {
    "assert", "error", "ipairs", "rawequal", "rawget",
    "rawlen", "select", "tonumber", NULL,
};
static const char *const string_names[] = {
    "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match",
    "pack", "packsize", "rep", "reverse", "sub", "unpack", "upper", NULL,
};
static const char *const table_names[] = {
    "concat", "insert", "move", "pack", "remove", "sort", "unpack", NULL,
};
// Without the functions that a build of Lua may keep from 5.2.
static const char *const math_names[] = {
    "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log",
    "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "randomseed", "sin",
    "sqrt", "tan", "tointeger", "type", "ult", NULL,
};
static const char *const utf8_names[] = {
    "char", "charpattern", "codepoint", "codes", "len", "offset", NULL,
};

// Copies the named fields of the table at `from` to the one on top.
static void copy(lua_State *L, int from, const char *const *names) {
  for (; *names != NULL; names++) {
    lua_getfield(L, from, *names);
    lua_setfield(L, -2, *names);
  }
}

// Opens a stock library and pushes a table with what is allowed of it; its own table goes away.
static void push_allowed(lua_State *L, lua_CFunction open, const char *const *names) {
  lua_pushcfunction(L, open);
  lua_call(L, 0, 1);
  lua_createtable(L, 0, 24);
  copy(L, lua_absindex(L, -2), names);
  lua_remove(L, -2);
}

// Under its name in the globals and among the loaded modules, where error messages look for names.
static void publish(lua_State *L, const char *name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  if (strcmp(name, LUA_GNAME) == 0) {
    lua_pop(L, 1);
    return;
  }
  lua_setglobal(L, name);
}

static void open_base(lua_State *L) {
  // luaopen_base fills the global table itself: what is not allowed is taken out of a fresh one.
  lua_pushcfunction(L, luaopen_base);
  lua_call(L, 0, 1);
  lua_createtable(L, 0, 64);
  copy(L, lua_absindex(L, -2), base_names);
  lua_remove(L, -2);
  starling_add_base(L);
  starling_add_metatable(L);
  lua_pushliteral(L, "Lua 5.4");
  lua_setfield(L, -2, "_VERSION");
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, LUA_GNAME);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  publish(L, LUA_GNAME);
}

// The one metatable of all strings keeps its arithmetic; it indexes the table that scripts see and
// is closed to them.
static void protect_strings(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

// Without arguments the stock function takes the state's address as a seed and tells it.
static int math_randomseed(lua_State *L) {
  starling_host *host = host_of(L);
  if (lua_isnone(L, 1)) {
    struct timespec time = {.tv_sec = host->seed};
    if (!host->has_seed) clock_gettime(CLOCK_REALTIME, &time);
    lua_pushinteger(L, time.tv_sec);
    lua_pushinteger(L, time.tv_nsec);
  }
  return host->stock_randomseed(L);
}

static void protect_seed(lua_State *L) {
  lua_getfield(L, -1, "randomseed");
  host_of(L)->stock_randomseed = lua_tocfunction(L, -1);
  lua_getupvalue(L, -1, 1);  // the generator, which the stock function finds in our frame
  lua_pushcclosure(L, math_randomseed, 1);
  lua_remove(L, -2);
  if (host_of(L)->has_seed) {
    lua_pushvalue(L, -1);
    lua_call(L, 0, 0);
  }
  lua_pushvalue(L, -1);
  host_of(L)->seeding = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_setfield(L, -2, "randomseed");
}

void starling_reseed(starling_host *host, int64_t seed) {
  lua_State *L = host->running;
  host->has_seed = true;
  host->seed = seed;
  lua_rawgeti(L, LUA_REGISTRYINDEX, host->seeding);
  lua_call(L, 0, 0);  // [-1, +0, m]: with nothing to raise an error about
}

void starling_open_library(lua_State *L, starling_host *host) {
  (void)host;
  open_base(L);
  push_allowed(L, luaopen_string, string_names);
  starling_add_string(L);
  starling_add_match(L);
  protect_strings(L);
  publish(L, "string");
  push_allowed(L, luaopen_table, table_names);
  starling_add_table(L);
  publish(L, "table");
  push_allowed(L, luaopen_utf8, utf8_names);
  publish(L, "utf8");
  push_allowed(L, luaopen_math, math_names);
  protect_seed(L);
  publish(L, "math");
  lua_createtable(L, 0, 8);
  starling_add_coroutine(L);
  publish(L, "coroutine");
}
