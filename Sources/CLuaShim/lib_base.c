// The basic functions (Lua manual 5.4, 6.1) that a sandbox needs in its own way: errors cannot be
// swallowed by a state that must stop, chunks are text, nothing shows an address.
#include <stdio.h>

#include "internal.h"

void starling_tostring(lua_State *L, int index) {
  index = lua_absindex(L, index);
  starling_object object;
  switch (lua_type(L, index)) {
    case LUA_TSTRING: lua_pushvalue(L, index); return;
    case LUA_TNUMBER:
      lua_pushvalue(L, index);
      lua_tolstring(L, -1, NULL);  // [-0, +0, m]: turns the copy into text
      return;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); return;
    case LUA_TNIL: lua_pushliteral(L, "nil"); return;
    default: break;
  }
  if (luaL_callmeta(L, index, "__tostring")) {  // [-0, +(0|1), e]
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    lua_tolstring(L, -1, NULL);  // a number passes for a string
    return;
  }
  if (starling_to_object(L, index, &object) && object.form == STARLING_VIEW) {
    lua_pushliteral(L, "table");
    return;
  }
  int kind = luaL_getmetafield(L, index, "__name");  // [-0, +(0|1), m]
  if (kind == LUA_TSTRING) return;
  if (kind != LUA_TNIL) lua_pop(L, 1);
  lua_pushstring(L, luaL_typename(L, index));
}

const char *starling_typename(lua_State *L, int index) {
  starling_object object;
  bool is_view = starling_to_object(L, index, &object) && object.form == STARLING_VIEW;
  return is_view ? "read-only view" : luaL_typename(L, index);
}

static int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  starling_tostring(L, 1);
  return 1;
}

static int base_type(lua_State *L) {
  int type = lua_type(L, 1);
  luaL_argcheck(L, type != LUA_TNONE, 1, "value expected");
  starling_object object;
  if (type == LUA_TUSERDATA && starling_to_object(L, 1, &object) && object.form == STARLING_VIEW)
    type = LUA_TTABLE;
  lua_pushstring(L, lua_typename(L, type));
  return 1;
}

static int next_of_view(lua_State *L) {
  starling_object object;
  if (!starling_to_object(L, 1, &object)) luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (luaL_getmetafield(L, 1, "__next") == LUA_TNIL) luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 2);
  return lua_isnil(L, -2) ? 1 : 2;
}

static int base_next(lua_State *L) {
  if (lua_type(L, 1) != LUA_TTABLE) return next_of_view(L);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;  // [-1, +(2|0), v]
  lua_pushnil(L);
  return 1;
}

static int continue_pairs(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 3;
}

static int base_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") == LUA_TNIL) {
    lua_pushcfunction(L, base_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
  } else {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, continue_pairs);
  }
  return 3;
}

// What pcall and xpcall do with the end of their call. A stop goes on up.
static int finish(lua_State *L, int status, lua_KContext extra) {
  if (status != LUA_OK && status != LUA_YIELD) {
    poll(L, host_of(L));
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  return lua_gettop(L) - (int)extra;
}

static int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  check_stack(L, host_of(L));
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish);
  return finish(L, status, 0);
}

// Stands between an error and the handler of xpcall: a stop is not shown to it.
static int guard_handler(lua_State *L) {
  starling_host *host = host_of(L);
  if (is_late(host)) return 1;
  check_stack(L, host);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static int base_xpcall(lua_State *L) {
  int n = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  check_stack(L, host_of(L));
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, guard_handler, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  int status = lua_pcallk(L, n - 2, LUA_MULTRET, 2, 2, finish);
  return finish(L, status, 2);
}

// What `mode` of load may allow beside text does not count: a binary chunk is refused. Lua looks at
// the mode once it has the first piece.
enum { LONGEST_MODE = 31 };

typedef struct {
  starling_host *host;
  char mode[LONGEST_MODE + 1];
  bool is_begun;
} chunk_mode;

static void set_mode(chunk_mode *mode, starling_host *host, const char *text) {
  mode->host = host;
  mode->is_begun = false;
  snprintf(mode->mode, sizeof mode->mode, "%s", text);
  if (strlen(text) > LONGEST_MODE) strcpy(mode->mode, strchr(text, 't') != NULL ? "t" : "-");
}

static void begin_chunk(chunk_mode *mode, const char *piece, size_t size) {
  if (!mode->is_begun && size > 0 && *piece == LUA_SIGNATURE[0]) strcpy(mode->mode, "t");
  if (size > 0) mode->is_begun = true;
}

typedef struct {
  starling_host *host;
  const char *text;
  size_t left;
} text_source;

static const char *read_text(lua_State *L, void *data, size_t *size) {
  text_source *source = data;
  poll(L, source->host);
  *size = source->left < 4096 ? source->left : 4096;
  const char *piece = source->text;
  source->text += *size;
  source->left -= *size;
  return *size == 0 ? NULL : piece;
}

enum { RESERVED_SLOT = 5 };

static const char *read_function(lua_State *L, void *data, size_t *size) {
  chunk_mode *mode = data;
  poll(L, mode->host);
  luaL_checkstack(L, 2, "too many nested functions");
  lua_pushvalue(L, 1);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    *size = 0;
    return NULL;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "reader function must return a string");
  lua_replace(L, RESERVED_SLOT);
  const char *piece = lua_tolstring(L, RESERVED_SLOT, size);
  begin_chunk(mode, piece, *size);
  return piece;
}

static int base_load(lua_State *L) {
  starling_host *host = host_of(L);
  size_t length;
  const char *text = lua_tolstring(L, 1, &length);
  int environment = lua_isnone(L, 4) ? 0 : 4;
  chunk_mode mode;
  set_mode(&mode, host, luaL_optstring(L, 3, "t"));
  int status;
  check_stack(L, host);
  if (text != NULL) {
    text_source source = {host, text, length};
    const char *name = luaL_optstring(L, 2, text);
    begin_chunk(&mode, text, length);
    status = lua_load(L, read_text, &source, name, mode.mode);
  } else {
    const char *name = luaL_optstring(L, 2, "=(load)");
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, RESERVED_SLOT);
    status = lua_load(L, read_function, &mode, name, mode.mode);
  }
  if (status != LUA_OK) {
    poll(L, host);
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (environment != 0) {
    lua_pushvalue(L, environment);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

// A full collection in steps, with a look at the deadline between them: the cycle that is under way,
// and one that sees all.
static void collect(lua_State *L) {
  starling_host *host = host_of(L);
  for (int cycles = 0; cycles < 2; poll(L, host))
    if (lua_gc(L, LUA_GCSTEP, 0)) cycles++;
}

// Counting is honest, steering the collector is not the script's: "stop" would defeat the limit.
static int base_collectgarbage(lua_State *L) {
  static const char *const options[] = {"collect", "count", "step", "isrunning", "stop", "restart",
                                        "generational", "incremental", "setpause", "setstepmul",
                                        NULL};
  int option = luaL_checkoption(L, 1, "collect", options);
  switch (option) {
    case 0: collect(L); lua_pushinteger(L, 0); return 1;
    case 1: {
      int kilobytes = lua_gc(L, LUA_GCCOUNT), rest = lua_gc(L, LUA_GCCOUNTB);
      lua_pushnumber(L, (lua_Number)kilobytes + (lua_Number)rest / 1024);
      return 1;
    }
    case 2: lua_pushboolean(L, lua_gc(L, LUA_GCSTEP, 0)); return 1;
    case 3: lua_pushboolean(L, 1); return 1;
    default: return luaL_error(L, "collectgarbage(\"%s\") is not available here", options[option]);
  }
}

static const luaL_Reg functions[] = {
    {"collectgarbage", base_collectgarbage}, {"load", base_load},
    {"next", base_next},                     {"pairs", base_pairs},
    {"pcall", base_pcall},                   {"tostring", base_tostring},
    {"type", base_type},                     {"xpcall", base_xpcall},
    {NULL, NULL},
};

void starling_add_base(lua_State *L) { luaL_setfuncs(L, functions, 0); }
