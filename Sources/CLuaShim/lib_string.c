// String functions (Lua manual 5.4, 6.4) with bounds of their own. `format` prepares its arguments
// and lets the stock function do the work, so that results and messages are the same.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

// Fills `total` bytes with copies of the first `unit` bytes, in pieces.
static void repeat(lua_State *L, starling_host *host, char *start, size_t unit, size_t total) {
  enum { PIECE = 64 << 10 };
  size_t done = unit;
  while (done < total) {
    poll(L, host);
    // A whole number of units, so that the next piece begins where a unit does.
    size_t piece = done <= PIECE || unit > PIECE ? done : PIECE - PIECE % unit;
    if (piece > total - done) piece = total - done;
    memcpy(start + done, start, piece);
    done += piece;
  }
}

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
  memcpy(p, s, length);
  if (n > 1) {
    memcpy(p + length, separator, separator_length);
    repeat(L, host, p, unit, total);
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

// The stock %q does not poll, and an escaped byte takes it 50 ns.
enum { LONG_QUOTE = 16 << 10 };

// Pushes the string at `index` as a literal that Lua reads back, as lstrlib.c's addquoted.
static void push_quoted(lua_State *L, starling_host *host, int index) {
  size_t length;
  const char *s = lua_tolstring(L, index, &length);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addchar(&buffer, '"');
  for (; length > 0; length--, s++) {
    poll(L, host);
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\' || c == '\n') {
      luaL_addchar(&buffer, '\\');
      luaL_addchar(&buffer, *s);
    } else if (iscntrl(c)) {
      char code[8];
      snprintf(code, sizeof code, isdigit((unsigned char)s[1]) ? "\\%03d" : "\\%d", c);
      luaL_addstring(&buffer, code);
    } else {
      luaL_addchar(&buffer, *s);
    }
  }
  luaL_addchar(&buffer, '"');
  luaL_pushresult(&buffer);
}

// Quotes the argument, and makes the `%q` that ends at `end` of the format `%s`.
static void quote_argument(lua_State *L, starling_host *host, int argument, size_t end) {
  size_t length;
  const char *format = lua_tolstring(L, 1, &length);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addlstring(&buffer, format, end - 1);
  luaL_addchar(&buffer, 's');
  luaL_addlstring(&buffer, format + end, length - end);
  luaL_pushresult(&buffer);
  lua_replace(L, 1);
  push_quoted(L, host, argument);
  lua_replace(L, argument);
}

// `%s` shows values as our tostring does, and `%p` would show an address.
static void prepare_format(lua_State *L, starling_host *host) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length), *start = format, *end = format + length;
  int argument = 1, top = lua_gettop(L);
  while ((format = memchr(format, '%', (size_t)(end - format))) != NULL) {
    poll(L, host);
    if (*++format == '%') {
      format++;
      continue;
    }
    const char *conversion = format;
    if (*format < 'A') format += strspn(format, "-+ #0123456789.");
    if (++argument > top) return;
    if (*format == 'p') luaL_error(L, "invalid conversion '%%p' to 'format'");
    int type = lua_type(L, argument);
    if (*format == 'q' && format == conversion && type == LUA_TSTRING &&
        lua_rawlen(L, argument) > LONG_QUOTE) {
      size_t place = (size_t)(format - start);
      quote_argument(L, host, argument, place + 1);
      start = lua_tostring(L, 1);  // of the same length
      format = start + place;
      end = start + length;
    }
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
