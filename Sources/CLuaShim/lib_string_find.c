// find, match, gmatch and gsub (Lua manual 5.4, 6.4) on the matcher of lib_string_match.c.
#include "internal.h"
#include "match.h"

// A position argument as an offset: negative counts from the end, clipped to [1, inf).
static size_t start_position(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position;
  if (position == 0) return 1;
  if (position < -(lua_Integer)length) return 1;
  return length + (size_t)position + 1;
}

static const char *find_bytes(lua_State *L, const char *s, size_t length, const char *wanted,
                              size_t wanted_length) {
  if (wanted_length == 0) return s;
  if (wanted_length > length) return NULL;
  starling_host *host = host_of(L);
  const char *last = s + (length - wanted_length);
  while (s <= last) {
    poll(L, host);
    s = memchr(s, *wanted, (size_t)(last - s) + 1);
    if (s == NULL) return NULL;
    if (memcmp(s + 1, wanted + 1, wanted_length - 1) == 0) return s;
    s++;
  }
  return NULL;
}

static int push_range(lua_State *L, size_t from, size_t to) {
  lua_pushinteger(L, (lua_Integer)from);
  lua_pushinteger(L, (lua_Integer)to);
  return 2;
}

static int find_pattern(lua_State *L, const char *s, size_t length, const char *p,
                        size_t pattern_length, size_t init, bool find) {
  matcher m;
  bool anchored = *p == '^';
  if (anchored) {
    p++;
    pattern_length--;
  }
  matcher_prepare(&m, L, s, length, p, pattern_length);
  for (const char *at = s + init; ; at++) {
    const char *end = matcher_match(&m, at, p);
    if (end != NULL) {
      if (!find) return matcher_push_captures(&m, at, end);
      push_range(L, (size_t)(at - s) + 1, (size_t)(end - s));
      return matcher_push_captures(&m, NULL, NULL) + 2;
    }
    if (at >= m.source_end || anchored) break;
  }
  luaL_pushfail(L);
  return 1;
}

static int search(lua_State *L, bool find) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length);
  const char *p = luaL_checklstring(L, 2, &pattern_length);
  size_t init = start_position(luaL_optinteger(L, 3, 1), length) - 1;
  if (init > length) {
    luaL_pushfail(L);
    return 1;
  }
  if (find && (lua_toboolean(L, 4) || matcher_is_plain(p, pattern_length))) {
    const char *found = find_bytes(L, s + init, length - init, p, pattern_length);
    if (found != NULL)
      return push_range(L, (size_t)(found - s) + 1, (size_t)(found - s) + pattern_length);
    luaL_pushfail(L);
    return 1;
  }
  return find_pattern(L, s, length, p, pattern_length, init, find);
}

static int string_find(lua_State *L) { return search(L, true); }
static int string_match(lua_State *L) { return search(L, false); }

// Upvalues: source and pattern, which must live, and this.
typedef struct {
  matcher m;
  const char *at, *pattern, *last;
} gmatch_state;

static int gmatch_step(lua_State *L) {
  gmatch_state *state = lua_touserdata(L, lua_upvalueindex(3));
  state->m.L = L;
  for (const char *at = state->at; at <= state->m.source_end; at++) {
    state->m.depth = MATCH_DEPTH;
    const char *end = matcher_match(&state->m, at, state->pattern);
    if (end == NULL || end == state->last) continue;
    state->at = state->last = end;
    return matcher_push_captures(&state->m, at, end);
  }
  return 0;
}

static int string_gmatch(lua_State *L) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length);
  const char *p = luaL_checklstring(L, 2, &pattern_length);
  size_t init = start_position(luaL_optinteger(L, 3, 1), length) - 1;
  lua_settop(L, 2);
  gmatch_state *state = lua_newuserdatauv(L, sizeof *state, 0);
  matcher_prepare(&state->m, L, s, length, p, pattern_length);
  state->at = s + (init > length ? length + 1 : init);
  state->pattern = p;
  state->last = NULL;
  lua_pushcclosure(L, gmatch_step, 3);
  return 1;
}

// Adds the replacement string with its captures filled in.
static void add_template(matcher *m, luaL_Buffer *buffer, const char *s, const char *end) {
  lua_State *L = m->L;
  size_t length;
  const char *text = lua_tolstring(L, 3, &length);
  const char *mark;
  while ((mark = memchr(text, '%', length)) != NULL) {
    poll(L, m->host);
    luaL_addlstring(buffer, text, (size_t)(mark - text));
    mark++;
    if (*mark == '%') {
      luaL_addchar(buffer, *mark);
    } else if (*mark == '0') {
      luaL_addlstring(buffer, s, (size_t)(end - s));
    } else if (*mark >= '1' && *mark <= '9') {
      const char *captured;
      ptrdiff_t captured_length = matcher_get_capture(m, *mark - '1', s, end, &captured);
      if (captured_length == POSITION_CAPTURE) luaL_addvalue(buffer);
      else luaL_addlstring(buffer, captured, (size_t)captured_length);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
    length -= (size_t)(mark + 1 - text);
    text = mark + 1;
  }
  luaL_addlstring(buffer, text, length);
}

// Adds what replaces the match; answers whether that is something else.
static bool add_value(matcher *m, luaL_Buffer *buffer, const char *s, const char *end, int type) {
  lua_State *L = m->L;
  switch (type) {
    case LUA_TFUNCTION: {
      lua_pushvalue(L, 3);
      int count = matcher_push_captures(m, s, end);
      lua_call(L, count, 1);
      break;
    }
    case LUA_TTABLE:
      matcher_push_capture(m, 0, s, end);
      lua_gettable(L, 3);
      break;
    default: add_template(m, buffer, s, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(buffer, s, (size_t)(end - s));
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", starling_typename(L, -1));
  luaL_addvalue(buffer);
  return true;
}

static int string_gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length), *last = NULL;
  const char *p = luaL_checklstring(L, 2, &pattern_length);
  int type = lua_type(L, 3);
  lua_Integer limit = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
  bool anchored = *p == '^', changed = false;
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION ||
                          type == LUA_TTABLE, 3, "string/function/table");
  matcher m;
  check_stack(L, host_of(L));
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  if (anchored) {
    p++;
    pattern_length--;
  }
  matcher_prepare(&m, L, s, length, p, pattern_length);
  while (count < limit) {
    const char *end = matcher_match(&m, s, p);
    if (end != NULL && end != last) {
      count++;
      changed = add_value(&m, &buffer, s, end, type) || changed;
      s = last = end;
    } else if (s < m.source_end) {
      luaL_addchar(&buffer, *s++);
    } else {
      break;
    }
    if (anchored) break;
  }
  if (!changed) {
    lua_pushvalue(L, 1);
  } else {
    luaL_addlstring(&buffer, s, (size_t)(m.source_end - s));
    luaL_pushresult(&buffer);
  }
  lua_pushinteger(L, count);
  return 2;
}

static const luaL_Reg functions[] = {
    {"find", string_find}, {"gmatch", string_gmatch}, {"gsub", string_gsub},
    {"match", string_match}, {NULL, NULL},
};

void starling_add_match(lua_State *L) { luaL_setfuncs(L, functions, 0); }
