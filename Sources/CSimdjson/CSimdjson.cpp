#include "CSimdjson.h"

#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <utility>

using namespace simdjson;

namespace {

const char *const OUT_OF_MEMORY = "out of memory";

/// A string whose escapes are still to be decoded; only on a tape under construction.
const unsigned ESCAPED = 15;

/// Walks a document with the on-demand reader and writes the tape.
class TapeWriter {
public:
  const char *message = nullptr;
  const uint8_t *where = nullptr;

  TapeWriter(uint8_t *bytes, size_t length) : bytes_(bytes), end_(bytes + length) {}
  ~TapeWriter() { std::free(words_); }

  bool document(ondemand::document &document) {
    bool is_scalar = false;
    if (document.is_scalar().get(is_scalar)) return fail("no value", bytes_);
    if (is_scalar) {
      std::string_view token;
      if (document.raw_json_token().get(token)) return fail("no value", bytes_);
      const uint8_t *start = reinterpret_cast<const uint8_t *>(token.data());
      const uint8_t *stop = trim(start, start + token.size());
      for (const uint8_t *rest = stop; rest < end_; rest++)
        if (!is_space(*rest)) return fail("text after the value", rest);
      return scalar(start, stop);
    }
    ondemand::value root;
    if (document.get_value().get(root)) return fail("unclosed array or object", end_);
    if (!value(root, 1)) return false;
    const char *rest = nullptr;
    if (!document.current_location().get(rest))
      return fail("text after the value", reinterpret_cast<const uint8_t *>(rest));
    return true;
  }

  /// Decodes the escapes of all strings, once the document is known to be whole: until then its
  /// bytes are left alone.
  void decode_escapes() {
    for (size_t index = 0; index < count_; index++) {
      unsigned kind = unsigned(words_[index] & 0xF);
      if (kind == STARLING_JSON_INTEGER || kind == STARLING_JSON_REAL) {
        index++;
      } else if (kind == ESCAPED) {
        size_t place = size_t(words_[index] >> 32);
        size_t length = size_t(words_[index] >> 4 & STARLING_JSON_MAX_BYTES);
        length = unescape(bytes_ + place, bytes_ + place + length);
        words_[index] =
            uint64_t(STARLING_JSON_STRING) | uint64_t(length) << 4 | uint64_t(place) << 32;
      }
    }
  }

  uint64_t *take(size_t &count) {
    count = count_;
    uint64_t *words = static_cast<uint64_t *>(std::realloc(words_, (count_ + 1) * 8));
    if (words == nullptr) words = words_;
    words_ = nullptr;
    return words;
  }

private:
  uint8_t *bytes_, *end_;
  uint64_t *words_ = nullptr;
  size_t count_ = 0, capacity_ = 0;

  static bool is_space(uint8_t byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
  }

  const uint8_t *trim(const uint8_t *start, const uint8_t *stop) {
    if (stop > end_) stop = end_;
    while (stop > start && is_space(stop[-1])) stop--;
    return stop;
  }

  bool fail(const char *what, const uint8_t *place) {
    if (message == nullptr) {
      message = what;
      where = place;
    }
    return false;
  }

  bool push(uint64_t word) {
    if (count_ == capacity_) {
      size_t capacity = capacity_ + capacity_ / 2 + 1024;
      void *words = std::realloc(words_, capacity * 8);
      if (words == nullptr) return fail(OUT_OF_MEMORY, end_);
      words_ = static_cast<uint64_t *>(words);
      capacity_ = capacity;
    }
    words_[count_++] = word;
    return true;
  }

  bool push(unsigned kind, size_t length, size_t place) {
    return push(uint64_t(kind) | uint64_t(length) << 4 | uint64_t(place) << 32);
  }

  bool value(ondemand::value value, int depth) {
    std::string_view token = value.raw_json_token();
    const uint8_t *start = reinterpret_cast<const uint8_t *>(token.data());
    if (*start == '{') return object(value, start, depth);
    if (*start == '[') return array(value, start, depth);
    return scalar(start, trim(start, start + token.size()));
  }

  bool array(ondemand::value value, const uint8_t *start, int depth) {
    if (depth > STARLING_JSON_MAX_DEPTH) return fail("nested too deep", start);
    ondemand::array array;
    if (value.get_array().get(array)) return fail("bad array", start);
    size_t node = count_, length = 0;
    if (!push(0)) return false;
    for (auto element : array) {
      ondemand::value inner;
      if (element.get(inner)) return fail("missing comma or bracket in an array", place(start));
      if (!this->value(inner, depth + 1)) return false;
      length++;
    }
    return close(STARLING_JSON_ARRAY, node, length);
  }

  bool object(ondemand::value value, const uint8_t *start, int depth) {
    if (depth > STARLING_JSON_MAX_DEPTH) return fail("nested too deep", start);
    ondemand::object object;
    if (value.get_object().get(object)) return fail("bad object", start);
    size_t node = count_, length = 0;
    if (!push(0)) return false;
    for (auto result : object) {
      ondemand::field field;
      if (std::move(result).get(field)) return fail("missing comma, colon or brace in an object", place(start));
      const uint8_t *key = reinterpret_cast<const uint8_t *>(field.key().raw());
      if (!text(key, find_quote(key))) return false;
      if (!this->value(field.value(), depth + 1)) return false;
      length++;
    }
    return close(STARLING_JSON_OBJECT, node, length);
  }

  bool close(unsigned kind, size_t node, size_t length) {
    words_[node] = uint64_t(kind) | uint64_t(length) << 4 | uint64_t(count_) << 32;
    return true;
  }

  /// A place to name for an error that the reader found: behind the last text or number written.
  const uint8_t *place(const uint8_t *start) { return last_ > start ? last_ : start; }
  const uint8_t *last_ = nullptr;

  bool scalar(const uint8_t *start, const uint8_t *stop) {
    last_ = stop;
    switch (*start) {
    case '"': {
      const uint8_t *quote = find_quote(start + 1);
      if (quote + 1 != stop) return fail("text after a string", quote);
      return text(start + 1, quote);
    }
    case 'n': return word(start, stop, "null", STARLING_JSON_NULL);
    case 't': return word(start, stop, "true", STARLING_JSON_TRUE);
    case 'f': return word(start, stop, "false", STARLING_JSON_FALSE);
    default: return number(start, stop);
    }
  }

  bool word(const uint8_t *start, const uint8_t *stop, const char *name, unsigned kind) {
    size_t length = std::strlen(name);
    if (size_t(stop - start) != length || std::memcmp(start, name, length) != 0)
      return fail("not a value", start);
    return push(kind);
  }

  /// The quote that ends the string whose text begins at `start`; the first stage has found one.
  const uint8_t *find_quote(const uint8_t *start) {
    const uint8_t *from = start;
    while (from < end_) {
      const void *found = std::memchr(from, '"', size_t(end_ - from));
      if (found == nullptr) break;
      const uint8_t *quote = static_cast<const uint8_t *>(found);
      const uint8_t *slash = quote;
      while (slash > start && slash[-1] == '\\') slash--;
      if ((quote - slash) % 2 == 0) return quote;
      from = quote + 1;
    }
    return end_;
  }

  bool text(const uint8_t *start, const uint8_t *stop) {
    size_t length = size_t(stop - start);
    last_ = stop;
    unsigned kind = STARLING_JSON_STRING;
    if (std::memchr(start, '\\', length) != nullptr) {
      if (!check_escapes(start, stop)) return false;
      kind = ESCAPED;
    }
    return push(kind, length, size_t(start - bytes_));
  }

  bool check_escapes(const uint8_t *from, const uint8_t *stop) {
    while (from < stop) {
      if (*from != '\\') {
        from++;
        continue;
      }
      if (stop - from < 2) return fail("bad escape", from);
      if (from[1] == 'u') {
        if (hex4(from + 2, stop) < 0) return fail("bad escape", from);
        from += 6;
      } else {
        if (std::strchr("\"\\/bfnrt", from[1]) == nullptr || from[1] == 0)
          return fail("bad escape", from);
        from += 2;
      }
    }
    return true;
  }

  static int hex(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return -1;
  }

  static int32_t hex4(const uint8_t *from, const uint8_t *stop) {
    if (stop - from < 4) return -1;
    int32_t code = 0;
    for (int index = 0; index < 4; index++) {
      int digit = hex(from[index]);
      if (digit < 0) return -1;
      code = code << 4 | digit;
    }
    return code;
  }

  static uint8_t *encode(uint8_t *to, uint32_t code) {
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

  /// Decodes checked escapes in place: what an escape means is never longer than the escape.
  static size_t unescape(uint8_t *start, const uint8_t *stop) {
    uint8_t *to = start;
    const uint8_t *from = start;
    while (from < stop) {
      if (*from != '\\') {
        *to++ = *from++;
        continue;
      }
      uint8_t mark = from[1];
      from += 2;
      switch (mark) {
      case 'b': *to++ = '\b'; break;
      case 'f': *to++ = '\f'; break;
      case 'n': *to++ = '\n'; break;
      case 'r': *to++ = '\r'; break;
      case 't': *to++ = '\t'; break;
      case 'u': {
        int32_t code = hex4(from, stop);
        from += 4;
        uint32_t scalar = uint32_t(code);
        if (code >= 0xD800 && code < 0xDC00 && stop - from >= 6 && from[0] == '\\' &&
            from[1] == 'u') {
          int32_t low = hex4(from + 2, stop);
          if (low >= 0xDC00 && low < 0xE000) {
            scalar = 0x10000 + (uint32_t(code - 0xD800) << 10) + uint32_t(low - 0xDC00);
            from += 6;
          }
        }
        if (scalar >= 0xD800 && scalar < 0xE000) scalar = 0xFFFD;
        to = encode(to, scalar);
        break;
      }
      default: *to++ = mark; break;
      }
    }
    return size_t(to - start);
  }

  static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

  bool number(const uint8_t *start, const uint8_t *stop) {
    const uint8_t *from = start;
    bool negative = *from == '-';
    if (negative) from++;
    const uint8_t *digits = from;
    while (from < stop && is_digit(*from)) from++;
    size_t count = size_t(from - digits);
    if (count == 0) return fail("not a value", start);
    if (count > 1 && *digits == '0') return fail("a number with a leading zero", start);
    if (from == stop) return integer(start, digits, stop, negative);
    if (*from == '.') {
      const uint8_t *fraction = ++from;
      while (from < stop && is_digit(*from)) from++;
      if (from == fraction) return fail("a number without digits after its point", start);
    }
    if (from < stop && (*from == 'e' || *from == 'E')) {
      from++;
      if (from < stop && (*from == '+' || *from == '-')) from++;
      const uint8_t *exponent = from;
      while (from < stop && is_digit(*from)) from++;
      if (from == exponent) return fail("a number without digits in its exponent", start);
    }
    if (from != stop) return fail("not a value", start);
    return real(start, stop);
  }

  bool integer(const uint8_t *start, const uint8_t *digits, const uint8_t *stop, bool negative) {
    uint64_t value = 0;
    bool fits = stop - digits <= 19;
    if (fits) {
      for (const uint8_t *from = digits; from < stop; from++) value = value * 10 + (*from - '0');
      fits = value <= uint64_t(INT64_MAX) + (negative ? 1 : 0);
    }
    if (!fits) return push(STARLING_JSON_BIG_NUMBER, size_t(stop - start), size_t(start - bytes_));
    return push(STARLING_JSON_INTEGER) && push(negative ? 0 - value : value);
  }

  /// A number out of the range of a double stays text.
  bool real(const uint8_t *start, const uint8_t *stop) {
    double value = 0;
    if (SIMDJSON_BUILTIN_IMPLEMENTATION::numberparsing::parse_double(start).get(value))
      return push(STARLING_JSON_BIG_NUMBER, size_t(stop - start), size_t(start - bytes_));
    uint64_t bits;
    std::memcpy(&bits, &value, 8);
    return push(STARLING_JSON_REAL) && push(bits);
  }
};

} // namespace

size_t starling_json_padding(void) { return SIMDJSON_PADDING; }

int starling_json_parse(uint8_t *bytes, size_t length, struct starling_json_tape *tape) {
  tape->words = nullptr;
  tape->count = 0;
  tape->message = nullptr;
  tape->offset = 0;
  if (length > STARLING_JSON_MAX_BYTES) {
    tape->message = "longer than 256 MB";
    return 1;
  }
  ondemand::parser parser;
  ondemand::document document;
  auto error = parser.iterate(bytes, length, length + SIMDJSON_PADDING).get(document);
  if (error) {
    tape->message = error == MEMALLOC ? OUT_OF_MEMORY : error_message(error);
    return 1;
  }
  TapeWriter writer(bytes, length);
  if (!writer.document(document)) {
    tape->message = writer.message;
    if (writer.where != nullptr && writer.where >= bytes)
      tape->offset = size_t(writer.where - bytes);
    if (tape->offset > length) tape->offset = length;
    return 1;
  }
  writer.decode_escapes();
  tape->words = writer.take(tape->count);
  return 0;
}

int starling_utf8_is_valid(const uint8_t *bytes, size_t length) {
  return validate_utf8(reinterpret_cast<const char *>(bytes), length);
}
