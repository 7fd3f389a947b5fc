/* The limit for a call from Lua into the host: bare functions of C that read their arguments.
   `calls SCRIPT ARGUMENT...` runs the script with `host.none` and `host.two`. */
#include "limit.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static int none(lua_State *L) {
  (void)L;
  return 0;
}

/* Two texts in, their lengths' sum out: enough that both must be read. */
static int two(lua_State *L) {
  size_t first, second;
  luaL_checklstring(L, 1, &first);
  luaL_checklstring(L, 2, &second);
  lua_pushinteger(L, (lua_Integer)(first + second));
  return 1;
}

static const luaL_Reg functions[] = {{"none", none}, {"two", two}, {NULL, NULL}};

int main(int argc, char **argv) {
  if (argc < 2) fail("usage", "calls SCRIPT ARGUMENT...");
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_newlib(L, functions);
  lua_setglobal(L, "host");
  lua_createtable(L, argc - 2, 0);
  for (int i = 2; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  if (luaL_dofile(L, argv[1])) fail(argv[1], lua_tostring(L, -1));
  lua_close(L);
  return 0;
}
