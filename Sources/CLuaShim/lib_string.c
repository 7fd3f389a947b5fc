// String functions (Lua manual 5.4, 6.4) with bounds of their own. `format` prepares its arguments
// and lets the stock function do the work, so that results and messages are the same.
#include <stdlib.h>

#include "internal.h"

static int string_rep(lua_State *L) {
  starling_host *host = host_of(L);
  size_t length, separator_length;
  const char *s = luaL_checklstring(L, 1, &length);
  lua_Integer n = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_length);
  size_t unit = length + separator_length;
  if (n <= 0 || unit == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (unit < length || (size_t)n > SIZE_MAX / unit)
    return luaL_error(L, "resulting string too large");
  size_t total = (size_t)n * unit - separator_length;
  if (total > host->string_limit) return luaL_error(L, "resulting string too large");
  luaL_Buffer buffer;
  char *p = luaL_buffinitsize(L, &buffer, total);
  for (; n > 1; n--) {
    poll(L, host);
    memcpy(p, s, length);
    memcpy(p + length, separator, separator_length);
    p += unit;
  }
  memcpy(p, s, length);
  luaL_pushresultsize(&buffer, total);
  return 1;
}

// `%s` shows values as our tostring does, and `%p` would show an address.
static void prepare_format(lua_State *L, starling_host *host) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
  int argument = 1, top = lua_gettop(L);
  while (format < end) {
    poll(L, host);
    if (*format++ != '%') continue;
    if (*format == '%') {
      format++;
      continue;
    }
    format += strspn(format, "-+ #0123456789.");
    if (++argument > top) return;
    if (*format == 'p') luaL_error(L, "invalid conversion '%%p' to 'format'");
    int type = lua_type(L, argument);
    if (*format != 's' || type == LUA_TSTRING || type == LUA_TNUMBER) continue;
    starling_tostring(L, argument);
    lua_replace(L, argument);
  }
}

// More arguments than this are not formatted at one go, since the stock function does not poll.
enum { FORMAT_ARGUMENTS = 250 };

static int string_format(lua_State *L) {
  starling_host *host = host_of(L);
  if (lua_gettop(L) > FORMAT_ARGUMENTS + 1)
    return luaL_error(L, "too many arguments to 'format' (at most %d)", FORMAT_ARGUMENTS);
  check_stack(L, host);
  prepare_format(L, host);
  return host->stock_format(L);
}

static const luaL_Reg functions[] = {{"rep", string_rep}, {NULL, NULL}};

// The stock string table is on top.
void starling_add_string(lua_State *L) {
  lua_getfield(L, -1, "format");
  host_of(L)->stock_format = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  lua_pushcfunction(L, string_format);
  lua_setfield(L, -2, "format");
  luaL_setfuncs(L, functions, 0);
}
