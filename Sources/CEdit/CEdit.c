// Why C: el_set and history take variable arguments, which Swift cannot call, and libedit wants
// stdio streams.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CEdit.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { ABANDON = 3 };  // the key that stands for Ctrl-C, which the terminal turns into a signal

struct starling_editor {
  starling_editor_callbacks callbacks;
  EditLine *line;
  History *history;
  FILE *streams[3];
  const char *prompt;
  int is_abandoned;
  mbstate_t decoding;
  char typed[256];  // what was read for another reason, and is a key all the same
  size_t typed_count;

  EditLine *(*el_init)(const char *, FILE *, FILE *, FILE *);
  void (*el_end)(EditLine *);
  const char *(*el_gets)(EditLine *, int *);
  int (*el_set)(EditLine *, int, ...);
  int (*el_get)(EditLine *, int, ...);
  int (*el_insertstr)(EditLine *, const char *);
  void (*el_resize)(EditLine *);
  void (*el_beep)(EditLine *);
  int (*el_cursor)(EditLine *, int);
  const LineInfo *(*el_line)(EditLine *);
  History *(*history_init)(void);
  void (*history_end)(History *);
  int (*history_do)(History *, HistEvent *, int, ...);
};

// The functions that libedit calls get the EditLine alone, and it is not asked for its client data
// through a variadic function in each: there is one editor.
static starling_editor *current;

static int find_functions(starling_editor *editor, void *library) {
  struct {
    void **place;
    const char *name;
  } functions[] = {
      {(void **)&editor->el_init, "el_init"},
      {(void **)&editor->el_end, "el_end"},
      {(void **)&editor->el_gets, "el_gets"},
      {(void **)&editor->el_set, "el_set"},
      {(void **)&editor->el_get, "el_get"},
      {(void **)&editor->el_insertstr, "el_insertstr"},
      {(void **)&editor->el_resize, "el_resize"},
      {(void **)&editor->el_beep, "el_beep"},
      {(void **)&editor->el_cursor, "el_cursor"},
      {(void **)&editor->el_line, "el_line"},
      {(void **)&editor->history_init, "history_init"},
      {(void **)&editor->history_end, "history_end"},
      {(void **)&editor->history_do, "history"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    *functions[i].place = dlsym(library, functions[i].name);
    if (*functions[i].place == NULL) return 0;
  }
  return 1;
}

static char *prompt(EditLine *line) {
  (void)line;
  return (char *)current->prompt;
}

// Whoever gets the terminal now gets it as it was, and what they leave is not what the editor set.
static void suspend(starling_editor *editor) {
  editor->el_set(editor->line, EL_PREP_TERM, 0);
  struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
  sigaction(SIGTSTP, &usual, &ours);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, NULL);
}

static void draw(starling_editor *editor) {
  editor->el_set(editor->line, EL_PREP_TERM, 1);
  editor->el_resize(editor->line);
  editor->el_set(editor->line, EL_REFRESH);
}

static ssize_t read_byte(starling_editor *editor, char *byte) {
  if (editor->typed_count == 0) return read(STDIN_FILENO, byte, 1);
  *byte = editor->typed[0];
  memmove(editor->typed, editor->typed + 1, --editor->typed_count);
  return 1;
}

// Gives the next character of the terminal. A byte that is no UTF-8 becomes U+FFFD.
static int next_character(EditLine *line, wchar_t *character) {
  starling_editor *editor = current;
  if (editor->is_abandoned) {
    *character = '\r';  // leaves the line as Return does, wherever the cursor stood in it
    return 1;
  }
  for (;;) {
    switch (editor->typed_count > 0 ? STARLING_EDITOR_KEY
                                    : editor->callbacks.wait(editor->callbacks.context)) {
      case STARLING_EDITOR_INTERRUPT:
        *character = ABANDON;
        return 1;
      case STARLING_EDITOR_SUSPEND:
        suspend(editor);
        continue;  // that it was continued comes as a signal
      case STARLING_EDITOR_RESUME:
        // It does nothing where it believes that it has the terminal.
        editor->el_set(line, EL_PREP_TERM, 0);
        draw(editor);
        continue;
      case STARLING_EDITOR_RESIZE:
        draw(editor);
        continue;
      case STARLING_EDITOR_KEY: break;
      default: return 0;
    }
    char byte;
    ssize_t count = read_byte(editor, &byte);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return 0;
    size_t used = mbrtowc(character, &byte, 1, &editor->decoding);
    if (used == (size_t)-2) continue;
    if (used == (size_t)-1) {
      memset(&editor->decoding, 0, sizeof editor->decoding);
      *character = 0xFFFD;
    }
    return 1;
  }
}

static unsigned char abandon(EditLine *line, int key) {
  (void)key;
  current->is_abandoned = 1;
  current->el_cursor(line, 1 << 20);  // to the end
  current->el_insertstr(line, "^C");
  return CC_REFRESH;
}

static unsigned char complete(EditLine *line, int key) {
  (void)line;
  (void)key;
  current->callbacks.complete(current->callbacks.context);
  return CC_REFRESH;
}

static int prepare(starling_editor *editor) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    int copy = fcntl(descriptor == 2 ? 1 : descriptor, F_DUPFD_CLOEXEC, 3);
    editor->streams[descriptor] = copy < 0 ? NULL : fdopen(copy, descriptor == 0 ? "r" : "w");
    if (editor->streams[descriptor] == NULL) return 0;
  }
  editor->line =
      editor->el_init("starling", editor->streams[0], editor->streams[1], editor->streams[2]);
  editor->history = editor->history_init();
  if (editor->line == NULL || editor->history == NULL) return 0;
  HistEvent event;
  editor->history_do(editor->history, &event, H_SETSIZE, 10000);
  editor->history_do(editor->history, &event, H_SETUNIQUE, 1);
  EditLine *line = editor->line;
  editor->el_set(line, EL_EDITOR, "emacs");
  editor->el_set(line, EL_SIGNAL, 0);
  editor->el_set(line, EL_HIST, editor->history_do, editor->history);
  editor->el_set(line, EL_PROMPT, prompt);
  editor->el_set(line, EL_GETCFN, next_character);
  editor->el_set(line, EL_ADDFN, "starling-abandon", "Abandon the line", abandon);
  editor->el_set(line, EL_ADDFN, "starling-complete", "Complete", complete);
  editor->el_set(line, EL_BIND, "^C", "starling-abandon", NULL);
  editor->el_set(line, EL_BIND, "^I", "starling-complete", NULL);
  editor->el_set(line, EL_BIND, "^R", "em-inc-search-prev", NULL);
  editor->el_set(line, EL_BIND, "^S", "em-inc-search-next", NULL);
  return 1;
}

starling_editor *starling_editor_open(const starling_editor_callbacks *callbacks,
                                      const char **message) {
  // Characters are those of UTF-8 whatever the locale's language is.
  if (setlocale(LC_CTYPE, "") == NULL || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
    setlocale(LC_CTYPE, "C.UTF-8");
  void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    *message = dlerror();
    return NULL;
  }
  starling_editor *editor = calloc(1, sizeof *editor);
  if (editor == NULL || !find_functions(editor, library)) {
    *message = editor == NULL ? "out of memory" : dlerror();
    free(editor);
    return NULL;
  }
  editor->callbacks = *callbacks;
  current = editor;
  if (!prepare(editor)) {
    *message = "libedit does not know this terminal";
    starling_editor_close(editor);
    return NULL;
  }
  return editor;
}

void starling_editor_close(starling_editor *editor) {
  if (editor->line != NULL) editor->el_end(editor->line);
  if (editor->history != NULL) editor->history_end(editor->history);
  for (int i = 0; i < 3; i++)
    if (editor->streams[i] != NULL) fclose(editor->streams[i]);
  if (current == editor) current = NULL;
  free(editor);
}

int starling_editor_read(starling_editor *editor, const char *prompt, const char **text,
                         size_t *length) {
  editor->prompt = prompt;
  editor->is_abandoned = 0;
  memset(&editor->decoding, 0, sizeof editor->decoding);
  // libedit itself does it after it has shown the prompt, and what is typed between is shown twice.
  editor->el_set(editor->line, EL_PREP_TERM, 1);
  int count = 0;
  *text = editor->el_gets(editor->line, &count);
  if (editor->is_abandoned) return STARLING_EDITOR_ABANDONED;
  if (*text == NULL || count <= 0) return STARLING_EDITOR_CLOSED;
  *length = strlen(*text);
  if (*length > 0 && (*text)[*length - 1] == '\n') *length -= 1;
  return STARLING_EDITOR_LINE;
}

void starling_editor_remember(starling_editor *editor, const char *entry) {
  HistEvent event;
  editor->history_do(editor->history, &event, H_ENTER, entry);
}

const char *starling_editor_text(starling_editor *editor, size_t *length, size_t *cursor) {
  const LineInfo *line = editor->el_line(editor->line);
  *length = (size_t)(line->lastchar - line->buffer);
  *cursor = (size_t)(line->cursor - line->buffer);
  return line->buffer;
}

void starling_editor_type(starling_editor *editor, const char *bytes, size_t length) {
  size_t room = sizeof editor->typed - editor->typed_count;
  if (length > room) length = room;
  memcpy(editor->typed + editor->typed_count, bytes, length);
  editor->typed_count += length;
}

void starling_editor_insert(starling_editor *editor, const char *text) {
  editor->el_insertstr(editor->line, text);
}

void starling_editor_redraw(starling_editor *editor) {
  editor->el_set(editor->line, EL_REFRESH);
}

void starling_editor_beep(starling_editor *editor) { editor->el_beep(editor->line); }
