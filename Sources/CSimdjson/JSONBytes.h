#ifndef STARLING_JSON_BYTES_H
#define STARLING_JSON_BYTES_H

#include <cstdint>
#include <cstring>

namespace starling {

inline bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/// What can be part of a number or a bare word, and so must not follow one.
inline bool is_word(uint8_t byte) {
  return is_digit(byte) || (byte | 0x20) - 'a' < 26u || byte == '.' || byte == '-' ||
         byte == '+' || byte == '_' || byte >= 0x80;
}

typedef uint8_t Block __attribute__((vector_size(16)));

/// The first byte from `at` on that ends a run of plain characters in a text: a quote, a backslash
/// or a control character.
inline const uint8_t *plain_end(const uint8_t *at, const uint8_t *end) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  while (end - at >= 16) {
    Block block;
    std::memcpy(&block, at, 16);
    auto ends = (block == '"') | (block == '\\') | (block < 0x20);
    uint64_t halves[2];
    std::memcpy(halves, &ends, 16);
    if (halves[0] != 0) return at + __builtin_ctzll(halves[0]) / 8;
    if (halves[1] != 0) return at + 8 + __builtin_ctzll(halves[1]) / 8;
    at += 16;
  }
#endif
  while (at < end && *at != '"' && *at != '\\' && *at >= 0x20) at++;
  return at;
}

inline int hex(uint8_t byte) {
  if (is_digit(byte)) return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}

/// The number that four hexadecimal digits say, or -1.
inline int32_t hex4(const uint8_t *from, const uint8_t *stop) {
  if (stop - from < 4) return -1;
  int32_t code = 0;
  for (int index = 0; index < 4; index++) {
    int digit = hex(from[index]);
    if (digit < 0) return -1;
    code = code << 4 | digit;
  }
  return code;
}

/// Reads a number; false when it is beyond the range of a double.
bool read_real(const uint8_t *at, const uint8_t *stop, double &value);

} // namespace starling

#endif
