#ifndef STARLING_CPCRE2_H
#define STARLING_CPCRE2_H

#include <stddef.h>
#include <stdint.h>

// Regular expressions of PCRE2 (pcre2pattern(3)) over UTF-8, without regard to case.

typedef struct starling_pattern starling_pattern;

enum {
  STARLING_PATTERN_NONE = 0,
  STARLING_PATTERN_FOUND = 1,
  // It took more steps or memory than a match may.
  STARLING_PATTERN_LIMIT = -1,
};

// Compiles `count` bytes. NULL when that fails: `message` then says why, and `offset` is the byte of
// the expression at fault. Loads the library the first time.
starling_pattern *starling_pattern_compile(const uint8_t *text, size_t count, char message[256],
                                           size_t *offset);

// Looks for the expression in `length` bytes; `range` gets the first and the past-the-end byte of
// what was found. A compiled expression may be used by several threads at once.
int starling_pattern_find(starling_pattern *pattern, const uint8_t *text, size_t length,
                          size_t range[2]);

void starling_pattern_free(starling_pattern *pattern);

#endif
