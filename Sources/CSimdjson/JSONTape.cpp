#include "CSimdjson.h"
#include "JSONBytes.h"

#include <simdjson.h>

#include <cstdlib>

using namespace starling;

// Why not simdjson's own readers: their first stage keeps four bytes for each bracket, comma, name
// and value, which for a list of numbers is four times the document. This one keeps nothing but the
// tape, and is as fast where documents are made of texts, as feeds are.

namespace {

class TapeWriter {
public:
  const char *message = nullptr;
  const uint8_t *where = nullptr;

  TapeWriter(const uint8_t *bytes, size_t length)
      : start_(bytes), at_(bytes), end_(bytes + length) {}
  ~TapeWriter() {
    std::free(words_);
    std::free(wide_);
  }

  bool document() {
    skip();
    if (at_ == end_) return fail("no value", at_);
    if (!value(1)) return false;
    skip();
    return at_ == end_ || fail("text after the value", at_);
  }

  /// Gives the tape away.
  void take(starling_json_tape &tape) {
    void *smaller = std::realloc(words_, count_ * sizeof *words_);
    tape.words = smaller != nullptr ? static_cast<uint32_t *>(smaller) : words_;
    tape.count = count_;
    tape.wide = wide_;
    tape.wide_count = wide_count_;
    words_ = nullptr;
    wide_ = nullptr;
  }

private:
  const uint8_t *start_, *at_, *end_;
  uint32_t *words_ = nullptr;
  size_t count_ = 0, capacity_ = 0;
  uint64_t *wide_ = nullptr;
  size_t wide_count_ = 0, wide_capacity_ = 0;

  bool fail(const char *what, const uint8_t *place) {
    message = what;
    where = place;
    return false;
  }

  bool push(unsigned kind, size_t payload) {
    if (count_ == capacity_ && !grow()) return false;
    words_[count_++] = uint32_t(kind) | uint32_t(payload) << 4;
    return true;
  }

  bool grow() {
    size_t capacity = capacity_ + capacity_ / 2 + 1024;
    void *words = std::realloc(words_, capacity * sizeof *words_);
    if (words == nullptr) return fail("out of memory", at_);
    words_ = static_cast<uint32_t *>(words);
    capacity_ = capacity;
    return true;
  }

  bool push_wide(uint64_t bits) {
    if (wide_count_ == wide_capacity_) {
      size_t capacity = wide_capacity_ * 2 + 16;
      void *wide = std::realloc(wide_, capacity * sizeof *wide_);
      if (wide == nullptr) return fail("out of memory", at_);
      wide_ = static_cast<uint64_t *>(wide);
      wide_capacity_ = capacity;
    }
    wide_[wide_count_++] = bits;
    return true;
  }

  void skip() {
    if (at_ < end_ && *at_ > ' ') return;
    while (at_ < end_) {
      uint64_t eight = 0;
      if (end_ - at_ >= 8) std::memcpy(&eight, at_, 8);
      if (eight == 0x2020202020202020) {
        at_ += 8;
      } else if (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') {
        at_++;
      } else {
        return;
      }
    }
  }

  bool unclosed() { return fail("unclosed array or object", end_); }

  bool value(int depth) {
    switch (*at_) {
    case '{': return object(depth);
    case '[': return array(depth);
    case '"': return text();
    case 'n': return word("null", 4, STARLING_JSON_NULL);
    case 't': return word("true", 4, STARLING_JSON_TRUE);
    case 'f': return word("false", 5, STARLING_JSON_FALSE);
    default: return number();
    }
  }

  bool array(int depth) {
    if (depth > STARLING_JSON_MAX_DEPTH) return fail("nested too deep", at_);
    size_t node = count_, length = 0;
    if (!push(STARLING_JSON_ARRAY, 0)) return false;
    at_++;
    skip();
    if (at_ < end_ && *at_ == ']') {
      at_++;
      return close(STARLING_JSON_ARRAY, node, 0);
    }
    for (;;) {
      if (at_ == end_) return unclosed();
      if (!value(depth + 1)) return false;
      length++;
      skip();
      if (at_ == end_) return unclosed();
      if (*at_ != ',' && *at_ != ']') return fail("missing comma or bracket in an array", at_);
      if (*at_++ == ']') return close(STARLING_JSON_ARRAY, node, length);
      skip();
    }
  }

  bool object(int depth) {
    if (depth > STARLING_JSON_MAX_DEPTH) return fail("nested too deep", at_);
    size_t node = count_, length = 0;
    if (!push(STARLING_JSON_OBJECT, 0)) return false;
    at_++;
    skip();
    if (at_ < end_ && *at_ == '}') {
      at_++;
      return close(STARLING_JSON_OBJECT, node, 0);
    }
    for (;;) {
      if (at_ == end_) return unclosed();
      if (*at_ != '"') return fail("missing name in an object", at_);
      if (!text()) return false;
      skip();
      if (at_ == end_) return unclosed();
      if (*at_++ != ':') return fail("missing colon in an object", at_ - 1);
      skip();
      if (at_ == end_) return unclosed();
      if (!value(depth + 1)) return false;
      length++;
      skip();
      if (at_ == end_) return unclosed();
      if (*at_ != ',' && *at_ != '}') return fail("missing comma or brace in an object", at_);
      if (*at_++ == '}') return close(STARLING_JSON_OBJECT, node, length);
      skip();
    }
  }

  bool close(unsigned kind, size_t node, size_t length) {
    size_t words = count_ - node;
    size_t payload = length | words << 8;
    if (length > STARLING_JSON_MAX_SHORT_COUNT || words > STARLING_JSON_MAX_SHORT_WORDS) {
      if (!push_wide(uint64_t(length) | uint64_t(words) << 32)) return false;
      kind = kind == STARLING_JSON_ARRAY ? STARLING_JSON_LONG_ARRAY : STARLING_JSON_LONG_OBJECT;
      payload = wide_count_ - 1;
    }
    words_[node] = uint32_t(kind) | uint32_t(payload) << 4;
    return true;
  }

  bool word(const char *name, size_t length, unsigned kind) {
    const uint8_t *start = at_;
    if (size_t(end_ - at_) < length || std::memcmp(at_, name, length) != 0)
      return fail("not a value", start);
    at_ += length;
    if (at_ < end_ && is_word(*at_)) return fail("not a value", start);
    return push(kind, 0);
  }

  bool text() {
    const uint8_t *start = ++at_;
    unsigned kind = STARLING_JSON_STRING;
    for (;;) {
      at_ = plain_end(at_, end_);
      if (at_ == end_) return fail("unclosed text", end_);
      if (*at_ == '"') break;
      if (*at_ != '\\') return fail("a control character in a text", at_);
      if (!escape()) return fail("bad escape", at_);
      kind = STARLING_JSON_ESCAPED;
    }
    at_++;
    return push(kind, size_t(start - start_));
  }

  /// Steps over an escape.
  bool escape() {
    if (end_ - at_ < 2) return false;
    if (at_[1] == 'u') {
      if (hex4(at_ + 2, end_) < 0) return false;
      at_ += 6;
      return true;
    }
    if (at_[1] == 0 || std::strchr("\"\\/bfnrt", at_[1]) == nullptr) return false;
    at_ += 2;
    return true;
  }

  const uint8_t *skip_digits() {
    while (at_ < end_ && is_digit(*at_)) at_++;
    return at_;
  }

  bool number() {
    const uint8_t *start = at_;
    unsigned kind = STARLING_JSON_INTEGER;
    bool is_negative = *at_ == '-';
    if (is_negative) at_++;
    const uint8_t *digits = at_;
    size_t count = size_t(skip_digits() - digits);
    if (count == 0) return fail("not a value", start);
    if (count > 1 && *digits == '0') return fail("a number with a leading zero", start);
    if (at_ < end_ && *at_ == '.') {
      kind = STARLING_JSON_REAL;
      const uint8_t *fraction = ++at_;
      if (skip_digits() == fraction)
        return fail("a number without digits after its point", start);
    }
    // Only a long number, or one with an exponent, can be beyond the range of a double.
    bool may_overflow = kind == STARLING_JSON_REAL && count > 300;
    if (at_ < end_ && (*at_ | 0x20) == 'e') {
      kind = STARLING_JSON_REAL;
      may_overflow = true;
      at_++;
      if (at_ < end_ && (*at_ == '+' || *at_ == '-')) at_++;
      const uint8_t *exponent = at_;
      if (skip_digits() == exponent)
        return fail("a number without digits in its exponent", start);
    }
    if (at_ < end_ && is_word(*at_)) return fail("not a value", start);
    double value;
    if (kind == STARLING_JSON_INTEGER && count > 18 && !fits(digits, is_negative))
      kind = STARLING_JSON_BIG_NUMBER;
    if (may_overflow && !read_real(start, at_, value)) kind = STARLING_JSON_BIG_NUMBER;
    return push(kind, size_t(start - start_));
  }

  /// Whether 64 bits hold the digits up to `at_`.
  bool fits(const uint8_t *digits, bool is_negative) {
    if (at_ - digits > 19) return false;
    uint64_t value = 0;
    for (const uint8_t *from = digits; from < at_; from++) value = value * 10 + (*from - '0');
    return value <= uint64_t(INT64_MAX) + (is_negative ? 1 : 0);
  }
};

} // namespace

int starling_json_parse(const uint8_t *bytes, size_t length, starling_json_tape *tape) {
  *tape = starling_json_tape();
  if (length > STARLING_JSON_MAX_BYTES) {
    tape->message = "longer than 256 MB";
    return 1;
  }
  if (!starling_utf8_is_valid(bytes, length)) {
    tape->message = "a byte that is no UTF-8";
    return 1;
  }
  TapeWriter writer(bytes, length);
  if (!writer.document()) {
    tape->message = writer.message;
    tape->offset = size_t(writer.where - bytes);
    return 1;
  }
  writer.take(*tape);
  return 0;
}

int starling_utf8_is_valid(const uint8_t *bytes, size_t length) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), length);
}
