// String functions (Lua manual 5.4, 6.4) with bounds of their own. `format` does the plainest formats
// itself; for others it prepares the arguments and lets the stock function do the work, so that
// results and messages are the same.
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

// Has the stock function say what is wrong in a format up to one of its directives: what a directive
// calls comes after the errors of those before it.
static void check_beginning(lua_State *L, starling_host *host, const char *format, size_t length) {
  if (length == 0) return;
  lua_pushvalue(L, 1);
  lua_pushlstring(L, format, length);
  lua_replace(L, 1);
  host->stock_format(L);
  lua_pop(L, 1);
  lua_replace(L, 1);
}

// `%s` shows values as our tostring does, and `%p` would show an address.
static void prepare_format(lua_State *L, starling_host *host) {
  size_t length;
  const char *format = lua_tolstring(L, 1, &length), *start = format, *end = format + length;
  int argument = 1, top = lua_gettop(L);
  while (format < end) {
    if (*format++ != '%') continue;
    poll(L, host);
    if (*format == '%') {
      format++;
      continue;
    }
    const char *conversion = format;
    size_t before = (size_t)(format - 1 - start);
    if (*format < 'A') format += strspn(format, "-+ #0123456789.");
    if (++argument > top || *format == '%') return;  // no conversion: nothing behind it is reached
    if (*format == 'p') {
      check_beginning(L, host, start, before);
      luaL_error(L, "invalid conversion '%%p' to 'format'");
    }
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
    check_beginning(L, host, start, before);
    starling_tostring(L, argument);
    lua_replace(L, argument);
  }
}

// Adds the digits of an integer.
static void add_integer(luaL_Buffer *buffer, lua_Integer value) {
  enum { LONGEST = 20 };  // the least one, with its sign
  char digits[LONGEST], *start = digits + LONGEST;
  lua_Unsigned rest = value < 0 ? 0 - (lua_Unsigned)value : (lua_Unsigned)value;
  do *--start = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (value < 0) *--start = '-';
  luaL_addlstring(buffer, start, (size_t)(digits + LONGEST - start));
}

// Adds what `%d` or `%s` makes of an argument, where that needs no more than its digits or bytes.
static bool add_plain(lua_State *L, luaL_Buffer *buffer, char conversion, int argument) {
  if (conversion == 's' && lua_type(L, argument) == LUA_TSTRING) {
    size_t length;
    const char *s = lua_tolstring(L, argument, &length);
    luaL_addlstring(buffer, s, length);
    return true;
  }
  if ((conversion != 'd' && conversion != 's') || !lua_isinteger(L, argument)) return false;
  add_integer(buffer, lua_tointegerx(L, argument, NULL));
  return true;
}

// What a format asks for: `%d` and `%s` alone, most of the time; other conversions of numbers, or
// widths; a value that must be made ready (of `%s`, `%q`) or refused (`%p`).
typedef enum { FORMAT_PLAIN, FORMAT_NUMBERS, FORMAT_VALUES } format_class;

static format_class classify(const char *format, size_t length) {
  const char *end = format + length;
  bool is_plain = true, has_values = false;
  while (format < end) {
    if (*format++ != '%') continue;
    if (*format == 'd' || *format == '%') {  // a NUL ends the string
      format++;
      continue;
    }
    if (*format != 's') is_plain = false;
    while (*format < 'A' && *format != '%' && format < end) format++;
    if (*format == 's' || *format == 'q' || *format == 'p') has_values = true;
  }
  if (is_plain) return FORMAT_PLAIN;
  return has_values ? FORMAT_VALUES : FORMAT_NUMBERS;
}

// Makes what a plain format says, where integers and strings are given: otherwise the stock function
// asks printf, and a string's metatable. False, with the stack as it was, where there is anything
// else.
static bool format_plainly(lua_State *L, starling_host *host, const char *format, size_t length) {
  const char *end = format + length;
  int argument = 1, top = lua_gettop(L);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  while (format < end) {
    poll(L, host);
    if (*format != '%' || *++format == '%') {
      luaL_addchar(&buffer, *format++);
    } else if (++argument > top || !add_plain(L, &buffer, *format++, argument)) {
      lua_settop(L, top);  // what a long text is in closes itself
      return false;
    }
  }
  luaL_pushresult(&buffer);
  return true;
}

// More arguments than this are not formatted at one go, since the stock function does not poll.
enum { FORMAT_ARGUMENTS = 250 };

static int string_format(lua_State *L) {
  starling_host *host = host_of(L);
  if (lua_gettop(L) > FORMAT_ARGUMENTS + 1)
    return luaL_error(L, "too many arguments to 'format' (at most %d)", FORMAT_ARGUMENTS);
  check_stack(L, host);
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length);
  format_class class = classify(format, length);
  if (class == FORMAT_PLAIN && format_plainly(L, host, format, length)) return 1;
  if (class != FORMAT_NUMBERS) prepare_format(L, host);
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
