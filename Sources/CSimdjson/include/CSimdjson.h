#ifndef STARLING_CSIMDJSON_H
#define STARLING_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of tape nodes, in the low four bits of a node.
///
/// A node is one 32-bit word: `kind | payload << 4`. The text of a document is never changed; texts
/// and numbers stay where they are in it and are read when they are asked for. So a tape takes at
/// most twice the bytes of the text: nothing that a node stands for is shorter than two of them.
enum {
  STARLING_JSON_NULL = 0,
  STARLING_JSON_FALSE = 1,
  STARLING_JSON_TRUE = 2,
  /// Numbers: the payload is the place of the first character.
  STARLING_JSON_INTEGER = 3,
  STARLING_JSON_REAL = 4,
  STARLING_JSON_BIG_NUMBER = 5,
  /// A text up to its quote: the payload is the place behind the opening quote.
  STARLING_JSON_STRING = 6,
  /// The same with escapes to decode.
  STARLING_JSON_ESCAPED = 7,
  /// The payload is `count | words << 8`: at most 255 elements or members, and less than 2^20 words
  /// from the node to the one behind its last. A member is a text followed by its value.
  STARLING_JSON_ARRAY = 8,
  STARLING_JSON_OBJECT = 9,
  /// Larger ones: the payload is an index of `wide`, which has `count | words << 32` there.
  STARLING_JSON_LONG_ARRAY = 10,
  STARLING_JSON_LONG_OBJECT = 11,
  /// Only in repaired documents: a text whose escapes have been decoded in place, up to a byte 0xFF.
  STARLING_JSON_DECODED = 12,
  /// Only in repaired documents: the payload is an index of `wide`, which has the value's bits.
  STARLING_JSON_WIDE_INTEGER = 13,
  STARLING_JSON_WIDE_REAL = 14,
};

/// How deep arrays and objects may nest.
#define STARLING_JSON_MAX_DEPTH 512
/// The longest document; what 28 bits of payload can say.
#define STARLING_JSON_MAX_BYTES ((size_t)0x0FFFFFFF)
/// What the payload of an array or object can say.
#define STARLING_JSON_MAX_SHORT_COUNT ((size_t)0xFF)
#define STARLING_JSON_MAX_SHORT_WORDS ((size_t)0xFFFFF)

struct starling_json_tape {
  /// Owned by the caller once a parse succeeds: free(), both.
  uint32_t *words;
  size_t count;
  uint64_t *wide;
  size_t wide_count;
  /// Why and where a parse failed; the message is static.
  const char *message;
  size_t offset;
};

/// Parses `length` bytes of UTF-8 (RFC 8259). Returns 0, or another number with `message` and
/// `offset` set and nothing owned.
int starling_json_parse(const uint8_t *bytes, size_t length, struct starling_json_tape *tape);

/// The value of an INTEGER or a REAL; `end` is the document's.
int64_t starling_json_integer(const uint8_t *at, const uint8_t *end);
double starling_json_real(const uint8_t *at, const uint8_t *end);
/// How many characters a number has.
size_t starling_json_number_length(const uint8_t *at, const uint8_t *end);
/// How many bytes an ESCAPED text has as it is written.
size_t starling_json_escaped_length(const uint8_t *at, const uint8_t *end);
/// Writes an ESCAPED text of `length` bytes as what it means, which is never longer, and returns
/// its length. A lone surrogate is U+FFFD.
size_t starling_json_unescape(const uint8_t *at, size_t length, uint8_t *to);

/// Whether the bytes are UTF-8.
int starling_utf8_is_valid(const uint8_t *bytes, size_t length);

#ifdef __cplusplus
}
#endif
#endif
