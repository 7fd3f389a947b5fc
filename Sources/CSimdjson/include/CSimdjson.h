#ifndef STARLING_CSIMDJSON_H
#define STARLING_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of tape nodes, in the low four bits of a node.
///
/// A node is one 64-bit word: `kind | length << 4 | place << 32`, with 28 bits of length and 32 of
/// place. INTEGER and REAL are followed by a word with the value's bits. STRING and BIG_NUMBER lie
/// at byte `place` of the document and are `length` bytes long, escapes already decoded in place.
/// ARRAY and OBJECT have `length` elements or members, and `place` is the word after their last.
/// A member is a STRING followed by its value.
enum {
  STARLING_JSON_NULL = 0,
  STARLING_JSON_FALSE = 1,
  STARLING_JSON_TRUE = 2,
  STARLING_JSON_INTEGER = 3,
  STARLING_JSON_REAL = 4,
  STARLING_JSON_BIG_NUMBER = 5,
  STARLING_JSON_STRING = 6,
  STARLING_JSON_ARRAY = 7,
  STARLING_JSON_OBJECT = 8,
};

/// How deep arrays and objects may nest.
#define STARLING_JSON_MAX_DEPTH 512
/// The longest document; what 28 bits of length can say.
#define STARLING_JSON_MAX_BYTES ((size_t)0x0FFFFFFF)

struct starling_json_tape {
  /// Owned by the caller once a parse succeeds: free().
  uint64_t *words;
  size_t count;
  /// Why and where a parse failed; the message is static.
  const char *message;
  size_t offset;
};

/// How many blanks (0x20) a document needs after its last byte.
size_t starling_json_padding(void);

/// Parses `length` bytes of UTF-8 (RFC 8259), decoding escapes in place. A lone surrogate escape
/// becomes U+FFFD. Returns 0, or another number with `message` and `offset` set, nothing owned and
/// the bytes as they were.
int starling_json_parse(uint8_t *bytes, size_t length, struct starling_json_tape *tape);

/// Whether the bytes are UTF-8.
int starling_utf8_is_valid(const uint8_t *bytes, size_t length);

#ifdef __cplusplus
}
#endif
#endif
