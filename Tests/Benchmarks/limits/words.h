/* Words of a text for the search index, as the store makes them, but for what the measured texts do
   not have: other letters than ASCII, ideographs, kana and Hangul end a word. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The length of the character without a word of its own at `text`, or 0. */
static inline size_t single(const unsigned char *text, size_t left) {
  if (left < 3 || text[0] < 0xE3 || text[0] > 0xED) return 0;
  uint32_t code = (uint32_t)(text[0] & 15) << 12 | (uint32_t)(text[1] & 63) << 6 | (text[2] & 63);
  return code >= 0x3041 && code <= 0xD7A3 ? 3 : 0;
}

/* Appends the words to `out`, which has room for three times the text, and returns its new end. */
static char *append_words(char *out, const char *bytes, size_t length) {
  const unsigned char *text = (const unsigned char *)bytes;
  for (size_t i = 0; i < length;) {
    size_t start = i;
    for (; i < length; i++) {
      unsigned char byte = text[i];
      if (byte >= 'A' && byte <= 'Z') byte |= 32;
      if ((byte < 'a' || byte > 'z') && (byte < '0' || byte > '9')) break;
      *out++ = (char)byte;
    }
    if (i > start) *out++ = ' ';
    size_t one;
    while ((one = single(text + i, length - i)) > 0) {
      size_t next = single(text + i + one, length - i - one);
      memcpy(out, text + i, one + next);
      out += one + next;
      *out++ = ' ';
      i += one;
    }
    if (i == start) i++;
  }
  return out;
}

#endif
