// Why C: the names of PCRE2's functions are macros of the code unit's width, which Swift does not see;
// and the library is loaded by the first expression, since most runs have none and linking it would
// cost each of them at the start.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "CPCRE2.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <pcre2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An expression that backtracks for ever must not outlive the time that its rule has, and nothing can
// end PCRE2 from outside. Its own limit of steps (pcre2_set_match_limit) counts anew from each place
// of the text, and a single step may read the whole text. So a short text is searched under a low
// limit, which bounds all places together; a longer text, and one for which that did not do, with
// callouts between all parts of the expression (pcre2callout(3)), which cost time and count it.
enum { SHORT_TEXT = 256 };
static const uint32_t short_step_limit = 300;
static const uint32_t step_limit = 1000000;
static const uint32_t heap_limit_kilobytes = 16 * 1024;
// Callouts, and pieces of text that were read between two, of one search: some ten milliseconds.
static const size_t work_limit = 400000;
enum { WORK_PIECE = 64 };
// Brackets inside one another, each a call of PCRE2's compiler to itself.
static const uint32_t nesting_limit = 100;

static struct {
  pcre2_code *(*compile)(PCRE2_SPTR, PCRE2_SIZE, uint32_t, int *, PCRE2_SIZE *,
                         pcre2_compile_context *);
  void (*code_free)(pcre2_code *);
  pcre2_compile_context *(*compile_context_create)(pcre2_general_context *);
  void (*compile_context_free)(pcre2_compile_context *);
  int (*set_parens_nest_limit)(pcre2_compile_context *, uint32_t);
  int (*set_max_pattern_length)(pcre2_compile_context *, PCRE2_SIZE);
  pcre2_match_context *(*match_context_create)(pcre2_general_context *);
  void (*match_context_free)(pcre2_match_context *);
  int (*set_match_limit)(pcre2_match_context *, uint32_t);
  int (*set_heap_limit)(pcre2_match_context *, uint32_t);
  pcre2_match_data *(*match_data_create)(uint32_t, pcre2_general_context *);
  void (*match_data_free)(pcre2_match_data *);
  int (*match)(const pcre2_code *, PCRE2_SPTR, PCRE2_SIZE, PCRE2_SIZE, uint32_t,
               pcre2_match_data *, pcre2_match_context *);
  PCRE2_SIZE *(*get_ovector_pointer)(pcre2_match_data *);
  int (*get_error_message)(int, PCRE2_UCHAR *, PCRE2_SIZE);
  int (*set_callout)(pcre2_match_context *, int (*)(pcre2_callout_block *, void *), void *);
  int (*pattern_info)(const pcre2_code *, uint32_t, void *);
} library;

static char loading_error[200];
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libpcre2-8.so.0", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    snprintf(loading_error, sizeof loading_error, "%s", dlerror());
    return;
  }
  struct {
    void **place;
    const char *name;
  } functions[] = {
      {(void **)&library.compile, "pcre2_compile_8"},
      {(void **)&library.code_free, "pcre2_code_free_8"},
      {(void **)&library.compile_context_create, "pcre2_compile_context_create_8"},
      {(void **)&library.compile_context_free, "pcre2_compile_context_free_8"},
      {(void **)&library.set_parens_nest_limit, "pcre2_set_parens_nest_limit_8"},
      {(void **)&library.set_max_pattern_length, "pcre2_set_max_pattern_length_8"},
      {(void **)&library.match_context_create, "pcre2_match_context_create_8"},
      {(void **)&library.match_context_free, "pcre2_match_context_free_8"},
      {(void **)&library.set_match_limit, "pcre2_set_match_limit_8"},
      {(void **)&library.set_heap_limit, "pcre2_set_heap_limit_8"},
      {(void **)&library.match_data_create, "pcre2_match_data_create_8"},
      {(void **)&library.match_data_free, "pcre2_match_data_free_8"},
      {(void **)&library.match, "pcre2_match_8"},
      {(void **)&library.get_ovector_pointer, "pcre2_get_ovector_pointer_8"},
      {(void **)&library.get_error_message, "pcre2_get_error_message_8"},
      {(void **)&library.set_callout, "pcre2_set_callout_8"},
      {(void **)&library.pattern_info, "pcre2_pattern_info_8"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    *functions[i].place = dlsym(handle, functions[i].name);
    if (*functions[i].place == NULL) {
      snprintf(loading_error, sizeof loading_error, "libpcre2-8 has no %s", functions[i].name);
      return;
    }
  }
}

struct starling_pattern {
  pcre2_code *code;
  pcre2_match_context *limits;
  // The same expression with callouts, made when it is first needed.
  _Atomic(pcre2_code *) counting;
  bool has_references;
  size_t count;
  uint8_t text[];
};

static pcre2_code *compile(const uint8_t *text, size_t count, uint32_t options, char message[256],
                           size_t *offset) {
  pcre2_compile_context *context = library.compile_context_create(NULL);
  if (context == NULL) {
    snprintf(message, 256, "out of memory");
    return NULL;
  }
  library.set_parens_nest_limit(context, nesting_limit);
  library.set_max_pattern_length(context, 64 * 1024);
  int code = 0;
  PCRE2_SIZE place = 0;
  // \C would leave the matcher inside a character.
  options |= PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C |
             PCRE2_MATCH_INVALID_UTF;
  pcre2_code *compiled = library.compile(text, count, options, &code, &place, context);
  library.compile_context_free(context);
  if (compiled == NULL) {
    *offset = place;
    library.get_error_message(code, (PCRE2_UCHAR *)message, 256);
  }
  return compiled;
}

static pcre2_match_context *make_limits(uint32_t steps) {
  pcre2_match_context *limits = library.match_context_create(NULL);
  if (limits == NULL) return NULL;
  library.set_match_limit(limits, steps);
  library.set_heap_limit(limits, heap_limit_kilobytes);
  return limits;
}

starling_pattern *starling_pattern_compile(const uint8_t *text, size_t count, char message[256],
                                           size_t *offset) {
  *offset = 0;
  pthread_once(&loading, load);
  if (loading_error[0] != 0) {
    snprintf(message, 256, "regular expressions need libpcre2: %s", loading_error);
    return NULL;
  }
  starling_pattern *pattern = calloc(1, sizeof *pattern + count);
  if (pattern == NULL) {
    snprintf(message, 256, "out of memory");
    return NULL;
  }
  pattern->count = count;
  if (count > 0) memcpy(pattern->text, text, count);
  pattern->code = compile(text, count, 0, message, offset);
  pattern->limits = pattern->code == NULL ? NULL : make_limits(short_step_limit);
  if (pattern->limits == NULL) {
    if (pattern->code != NULL) snprintf(message, 256, "out of memory");
    starling_pattern_free(pattern);
    return NULL;
  }
  uint32_t references = 0;
  library.pattern_info(pattern->code, PCRE2_INFO_BACKREFMAX, &references);
  pattern->has_references = references > 0;
  return pattern;
}

// The expression with callouts; NULL when it cannot be made.
static pcre2_code *counting_code(starling_pattern *pattern) {
  pcre2_code *code = atomic_load(&pattern->counting);
  if (code != NULL) return code;
  char message[256];
  size_t offset;
  code = compile(pattern->text, pattern->count, PCRE2_AUTO_CALLOUT, message, &offset);
  pcre2_code *none = NULL;
  if (code == NULL || atomic_compare_exchange_strong(&pattern->counting, &none, code)) return code;
  library.code_free(code);  // another thread was first
  return none;
}

typedef struct {
  size_t work, place;
  bool has_references;
} search_count;

// Of what was found so far and may be compared.
static size_t longest_capture(const pcre2_callout_block *block) {
  size_t longest = 0;
  for (uint32_t i = 1; i < block->capture_top; i++) {
    PCRE2_SIZE start = block->offset_vector[2 * i], end = block->offset_vector[2 * i + 1];
    if (start != PCRE2_UNSET && end > start && end - start > longest) longest = end - start;
  }
  return longest;
}

// Between two parts of the expression: what was done counts, and so does the text that was read on
// the way here. Comparing with what was found before reads text that no place tells of.
static int count_work(pcre2_callout_block *block, void *data) {
  search_count *count = data;
  size_t place = block->current_position;
  size_t read = place > count->place ? place - count->place : count->place - place;
  count->place = place;
  if (count->has_references) read += longest_capture(block);
  count->work += 1 + read / WORK_PIECE;
  return count->work > work_limit ? PCRE2_ERROR_CALLOUT : 0;
}

static int match(const pcre2_code *code, const uint8_t *text, size_t length, size_t range[2],
                 pcre2_match_context *limits) {
  // One pair: only where the whole expression stands is asked for.
  pcre2_match_data *data = library.match_data_create(1, NULL);
  if (data == NULL) return STARLING_PATTERN_LIMIT;
  int result = library.match(code, text, length, 0, 0, data, limits);
  if (result >= 0) {
    PCRE2_SIZE *found = library.get_ovector_pointer(data);
    range[0] = found[0];
    range[1] = found[1];
  }
  library.match_data_free(data);
  if (result >= 0) return STARLING_PATTERN_FOUND;
  return result == PCRE2_ERROR_NOMATCH ? STARLING_PATTERN_NONE : STARLING_PATTERN_LIMIT;
}

int starling_pattern_find(starling_pattern *pattern, const uint8_t *text, size_t length,
                          size_t range[2]) {
  if (length <= SHORT_TEXT) {
    int result = match(pattern->code, text, length, range, pattern->limits);
    if (result != STARLING_PATTERN_LIMIT) return result;
  }
  pcre2_code *code = counting_code(pattern);
  pcre2_match_context *limits = code == NULL ? NULL : make_limits(step_limit);
  if (limits == NULL) return STARLING_PATTERN_LIMIT;
  search_count count = {.has_references = pattern->has_references};
  library.set_callout(limits, count_work, &count);
  int result = match(code, text, length, range, limits);
  library.match_context_free(limits);
  return result;
}

void starling_pattern_free(starling_pattern *pattern) {
  if (pattern == NULL) return;
  pcre2_code *counting = atomic_load(&pattern->counting);
  if (counting != NULL) library.code_free(counting);
  if (pattern->limits != NULL) library.match_context_free(pattern->limits);
  if (pattern->code != NULL) library.code_free(pattern->code);
  free(pattern);
}
