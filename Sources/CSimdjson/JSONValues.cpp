#include "CSimdjson.h"
#include "JSONBytes.h"

#include <charconv>
#include <clocale>
#include <cstdlib>
#include <string>

using namespace starling;

namespace {

/// Whether a double can hold a number that `from_chars` found out of range: it is too small then,
/// not too large.
bool is_tiny(const uint8_t *at, const uint8_t *stop, double &value) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  std::string copy(reinterpret_cast<const char *>(at), size_t(stop - at));
  value = strtod_l(copy.c_str(), nullptr, plain);
  return value > -1 && value < 1;
}

uint8_t *encode(uint8_t *to, uint32_t code) {
  if (code < 0x80) {
    *to++ = uint8_t(code);
  } else if (code < 0x800) {
    *to++ = uint8_t(0xC0 | code >> 6);
    *to++ = uint8_t(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *to++ = uint8_t(0xE0 | code >> 12);
    *to++ = uint8_t(0x80 | (code >> 6 & 0x3F));
    *to++ = uint8_t(0x80 | (code & 0x3F));
  } else {
    *to++ = uint8_t(0xF0 | code >> 18);
    *to++ = uint8_t(0x80 | (code >> 12 & 0x3F));
    *to++ = uint8_t(0x80 | (code >> 6 & 0x3F));
    *to++ = uint8_t(0x80 | (code & 0x3F));
  }
  return to;
}

/// The scalar that the escape at `from`, behind its `\u`, means; `from` is then behind it.
uint32_t scalar(const uint8_t *&from, const uint8_t *stop) {
  int32_t code = hex4(from, stop);
  from += 4;
  if (code >= 0xD800 && code < 0xDC00 && stop - from >= 6 && from[0] == '\\' && from[1] == 'u') {
    int32_t low = hex4(from + 2, stop);
    if (low >= 0xDC00 && low < 0xE000) {
      from += 6;
      return 0x10000 + (uint32_t(code - 0xD800) << 10) + uint32_t(low - 0xDC00);
    }
  }
  return code < 0 || (code >= 0xD800 && code < 0xE000) ? 0xFFFD : uint32_t(code);
}

} // namespace

bool starling::read_real(const uint8_t *at, const uint8_t *stop, double &value) {
  auto first = reinterpret_cast<const char *>(at);
  auto result = std::from_chars(first, reinterpret_cast<const char *>(stop), value);
  return result.ec == std::errc() || is_tiny(at, stop, value);
}

int64_t starling_json_integer(const uint8_t *at, const uint8_t *end) {
  bool is_negative = at < end && *at == '-';
  if (is_negative) at++;
  uint64_t value = 0;
  while (at < end && is_digit(*at)) value = value * 10 + uint64_t(*at++ - '0');
  return int64_t(is_negative ? 0 - value : value);
}

double starling_json_real(const uint8_t *at, const uint8_t *end) {
  double value = 0;
  read_real(at, at + starling_json_number_length(at, end), value);
  return value;
}

size_t starling_json_number_length(const uint8_t *at, const uint8_t *end) {
  const uint8_t *start = at;
  while (at < end && is_word(*at)) at++;
  return size_t(at - start);
}

size_t starling_json_escaped_length(const uint8_t *at, const uint8_t *end) {
  const uint8_t *start = at;
  for (;;) {
    at = plain_end(at, end);
    if (at >= end || *at == '"') return size_t((at < end ? at : end) - start);
    at += *at == '\\' ? 2 : 1;
    if (at > end) at = end;
  }
}

size_t starling_json_unescape(const uint8_t *at, size_t length, uint8_t *to) {
  const uint8_t *stop = at + length;
  uint8_t *start = to;
  while (at < stop) {
    const void *slash = std::memchr(at, '\\', size_t(stop - at));
    const uint8_t *next = slash != nullptr ? static_cast<const uint8_t *>(slash) : stop;
    std::memcpy(to, at, size_t(next - at));
    to += next - at;
    at = next;
    if (stop - at < 2) break;
    uint8_t mark = at[1];
    at += 2;
    switch (mark) {
    case 'b': *to++ = '\b'; break;
    case 'f': *to++ = '\f'; break;
    case 'n': *to++ = '\n'; break;
    case 'r': *to++ = '\r'; break;
    case 't': *to++ = '\t'; break;
    case 'u': to = encode(to, scalar(at, stop)); break;
    default: *to++ = mark; break;
    }
  }
  return size_t(to - start);
}
