// Pattern matching (Lua manual 5.4, 6.4.1) that a deadline can end: every step polls.
//
// The matcher follows the structure of Lua 5.4's lstrlib.c, so that honest patterns behave exactly
// as there. That file carries this notice:
//
// Copyright (C) 1994-2022 Lua.org, PUC-Rio.
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
// associated documentation files (the "Software"), to deal in the Software without restriction,
// including without limitation the rights to use, copy, modify, merge, publish, distribute,
// sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or
// substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
// NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
// NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
// DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
#include <ctype.h>

#include "internal.h"
#include "match.h"

enum { ESCAPE = '%' };
static const char special_characters[] = "^$*+?.([%-";

static const char *match_here(matcher *m, const char *s, const char *p);

static inline unsigned char byte_at(const char *s) { return (unsigned char)*s; }

static inline void step(matcher *m) {
  if (__builtin_expect(is_late(m->host), 0)) starling_raise_stop(m->L);
}

static int check_capture(matcher *m, int name) {
  int index = name - '1';
  if (index < 0 || index >= m->level || m->captures[index].length == OPEN_CAPTURE)
    return luaL_error(m->L, "invalid capture index %%%d", index + 1);
  return index;
}

static int capture_to_close(matcher *m) {
  for (int level = m->level - 1; level >= 0; level--)
    if (m->captures[level].length == OPEN_CAPTURE) return level;
  return luaL_error(m->L, "invalid pattern capture");
}

// The end of the single-character class that begins at `p`.
static const char *class_end(matcher *m, const char *p) {
  if (*p++ == ESCAPE) {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (p[-1] != '[') return p;
  if (*p == '^') p++;
  do {  // a ']' that comes first stands for itself
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
    if (*p++ == ESCAPE && p < m->pattern_end) p++;
  } while (*p != ']');
  return p + 1;
}

static bool in_class(int c, int letter) {
  bool result;
  switch (tolower(letter)) {
    case 'a': result = isalpha(c) != 0; break;
    case 'c': result = iscntrl(c) != 0; break;
    case 'd': result = isdigit(c) != 0; break;
    case 'g': result = isgraph(c) != 0; break;
    case 'l': result = islower(c) != 0; break;
    case 'p': result = ispunct(c) != 0; break;
    case 's': result = isspace(c) != 0; break;
    case 'u': result = isupper(c) != 0; break;
    case 'w': result = isalnum(c) != 0; break;
    case 'x': result = isxdigit(c) != 0; break;
    case 'z': result = c == 0; break;  // not in the manual, and still there
    default: return letter == c;
  }
  return isupper(letter) ? !result : result;
}

// `p` is at '[' and `end` at the ']' that closes it.
static bool in_set(int c, const char *p, const char *end) {
  bool wanted = true;
  if (p[1] == '^') {
    wanted = false;
    p++;
  }
  while (++p < end) {
    if (*p == ESCAPE) {
      p++;
      if (in_class(c, byte_at(p))) return wanted;
    } else if (p[1] == '-' && p + 2 < end) {
      p += 2;
      if (byte_at(p - 2) <= c && c <= byte_at(p)) return wanted;
    } else if (byte_at(p) == c) {
      return wanted;
    }
  }
  return !wanted;
}

static inline __attribute__((always_inline)) bool matches_one(matcher *m, const char *s, const char *p, const char *end) {
  if (s >= m->source_end) return false;
  int c = byte_at(s);
  switch (*p) {
    case '.': return true;
    case ESCAPE: return in_class(c, byte_at(p + 1));
    case '[': return in_set(c, p, end - 1);
    default: return byte_at(p) == c;
  }
}

static const char *match_balance(matcher *m, const char *s, const char *p) {
  if (p >= m->pattern_end - 1)
    luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->source_end || *s != *p) return NULL;
  int depth = 1;
  while (++s < m->source_end) {
    if (*s == p[1]) {
      if (--depth == 0) return s + 1;
    } else if (*s == *p) {
      depth++;
    }
  }
  return NULL;
}

static const char *expand_most(matcher *m, const char *s, const char *p, const char *end) {
  ptrdiff_t count = 0;
  while (matches_one(m, s + count, p, end)) {
    step(m);
    count++;
  }
  for (; count >= 0; count--) {
    const char *result = match_here(m, s + count, end + 1);
    if (result != NULL) return result;
  }
  return NULL;
}

static const char *expand_least(matcher *m, const char *s, const char *p, const char *end) {
  for (;; s++) {
    const char *result = match_here(m, s, end + 1);
    if (result != NULL) return result;
    if (!matches_one(m, s, p, end)) return NULL;
  }
}

static const char *begin_capture(matcher *m, const char *s, const char *p, ptrdiff_t what) {
  if (m->level >= LUA_MAXCAPTURES) luaL_error(m->L, "too many captures");
  m->captures[m->level].start = s;
  m->captures[m->level].length = what;
  m->level++;
  const char *result = match_here(m, s, p);
  if (result == NULL) m->level--;
  return result;
}

static const char *end_capture(matcher *m, const char *s, const char *p) {
  int level = capture_to_close(m);
  m->captures[level].length = s - m->captures[level].start;
  const char *result = match_here(m, s, p);
  if (result == NULL) m->captures[level].length = OPEN_CAPTURE;
  return result;
}

static const char *match_capture(matcher *m, const char *s, int name) {
  const capture *earlier = &m->captures[check_capture(m, name)];
  // A position capture has a negative length, which as a size is longer than any source.
  size_t length = (size_t)earlier->length;
  if ((size_t)(m->source_end - s) < length || memcmp(earlier->start, s, length) != 0) return NULL;
  return s + length;
}

static const char *match_frontier(matcher *m, const char *s, const char **p) {
  *p += 2;
  if (**p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
  const char *end = class_end(m, *p);
  int before = s == m->source_start ? '\0' : byte_at(s - 1);
  int after = s < m->source_end ? byte_at(s) : '\0';
  bool holds = !in_set(before, *p, end - 1) && in_set(after, *p, end - 1);
  *p = end;
  return holds ? s : NULL;
}

// A single character, class or set with what follows it. Sets *p to go on with, or to NULL when the
// result is final.
static inline __attribute__((always_inline)) const char *match_default(matcher *m, const char *s,
                                                                       const char **p) {
  const char *item = *p, *end = class_end(m, item);
  bool once = matches_one(m, s, item, end);
  char suffix = end < m->pattern_end ? *end : '\0';
  *p = NULL;
  switch (suffix) {
    case '?': {
      const char *result = once ? match_here(m, s + 1, end + 1) : NULL;
      if (result != NULL) return result;
      *p = end + 1;
      return s;
    }
    case '+': return once ? expand_most(m, s + 1, item, end) : NULL;
    case '*':
    case '-':
      if (once) return suffix == '*' ? expand_most(m, s, item, end) : expand_least(m, s, item, end);
      *p = end + 1;
      return s;
    default:
      if (!once) return NULL;
      *p = end;
      return s + 1;
  }
}

static const char *match_escape(matcher *m, const char *s, const char **p) {
  switch ((*p)[1]) {
    case 'b':
      s = match_balance(m, s, *p + 2);
      *p += 4;
      return s;
    case 'f': return match_frontier(m, s, p);
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
      s = match_capture(m, s, byte_at(*p + 1));
      *p += 2;
      return s;
    default: return match_default(m, s, p);
  }
}

static const char *match_items(matcher *m, const char *s, const char *p) {
  while (s != NULL && p != NULL && p != m->pattern_end) {
    step(m);
    switch (*p) {
      case '(':
        return p[1] == ')' ? begin_capture(m, s, p + 2, POSITION_CAPTURE)
                           : begin_capture(m, s, p + 1, OPEN_CAPTURE);
      case ')': return end_capture(m, s, p + 1);
      case '$':
        if (p + 1 == m->pattern_end) return s == m->source_end ? s : NULL;
        s = match_default(m, s, &p);
        break;
      case ESCAPE: s = match_escape(m, s, &p); break;
      default: s = match_default(m, s, &p); break;
    }
  }
  return s;
}

static const char *match_here(matcher *m, const char *s, const char *p) {
  if (m->depth-- == 0) luaL_error(m->L, "pattern too complex");
  const char *result = match_items(m, s, p);
  m->depth++;
  return result;
}

void matcher_prepare(matcher *m, lua_State *L, const char *source, size_t length,
                     const char *pattern, size_t pattern_length) {
  m->L = L;
  m->host = host_of(L);
  m->depth = MATCH_DEPTH;
  m->source_start = source;
  m->source_end = source + length;
  m->pattern_end = pattern + pattern_length;
  m->level = 0;
}

const char *matcher_match(matcher *m, const char *s, const char *pattern) {
  m->level = 0;
  return match_here(m, s, pattern);
}

static ptrdiff_t capture_at(matcher *m, int index, const char *start, const char *end,
                            const char **text) {
  if (index >= m->level) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    *text = start;
    return end - start;
  }
  ptrdiff_t length = m->captures[index].length;
  *text = m->captures[index].start;
  if (length == OPEN_CAPTURE) luaL_error(m->L, "unfinished capture");
  if (length == POSITION_CAPTURE)
    lua_pushinteger(m->L, m->captures[index].start - m->source_start + 1);
  return length;
}

ptrdiff_t matcher_get_capture(matcher *m, int index, const char *start, const char *end,
                              const char **text) {
  return capture_at(m, index, start, end, text);
}

void matcher_push_capture(matcher *m, int index, const char *start, const char *end) {
  const char *text;
  ptrdiff_t length = capture_at(m, index, start, end, &text);
  if (length != POSITION_CAPTURE) lua_pushlstring(m->L, text, (size_t)length);
}

int matcher_push_captures(matcher *m, const char *start, const char *end) {
  int count = m->level == 0 && start != NULL ? 1 : m->level;
  luaL_checkstack(m->L, count, "too many captures");
  for (int index = 0; index < count; index++) matcher_push_capture(m, index, start, end);
  return count;
}

bool matcher_is_plain(const char *pattern, size_t length) {
  size_t seen = 0;
  do {  // in pieces between NULs
    if (strpbrk(pattern + seen, special_characters) != NULL) return false;
    seen += strlen(pattern + seen) + 1;
  } while (seen <= length);
  return true;
}
