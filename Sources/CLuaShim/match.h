#ifndef STARLING_MATCH_H
#define STARLING_MATCH_H

#include "internal.h"

#ifndef LUA_MAXCAPTURES
#define LUA_MAXCAPTURES 32
#endif

enum { MATCH_DEPTH = 200, OPEN_CAPTURE = -1, POSITION_CAPTURE = -2 };

typedef struct {
  const char *start;
  ptrdiff_t length;  // or OPEN_CAPTURE, POSITION_CAPTURE
} capture;

typedef struct {
  const char *source_start, *source_end, *pattern_end;
  lua_State *L;
  starling_host *host;
  int depth;
  int level;
  capture captures[LUA_MAXCAPTURES];
} matcher;

// All may raise: a malformed pattern, a pattern too complex, the stop.
void matcher_prepare(matcher *m, lua_State *L, const char *source, size_t length,
                     const char *pattern, size_t pattern_length);
// The end of the match at `s`, or NULL.
const char *matcher_match(matcher *m, const char *s, const char *pattern);
// A capture's text and length; pushes a position capture and answers POSITION_CAPTURE.
ptrdiff_t matcher_get_capture(matcher *m, int index, const char *start, const char *end,
                              const char **text);
void matcher_push_capture(matcher *m, int index, const char *start, const char *end);
// All captures, or the whole match when there are none and `start` is given; how many.
int matcher_push_captures(matcher *m, const char *start, const char *end);
// Whether a pattern has no special character.
bool matcher_is_plain(const char *pattern, size_t length);

#endif
