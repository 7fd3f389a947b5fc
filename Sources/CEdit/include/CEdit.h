// A line editor for a terminal over libedit's own API (histedit.h), loaded when it is first needed.
//
// Nothing links libedit: loading it costs what the start of a command that edits nothing would pay.
// All texts are UTF-8. One editor at a time, from one thread.
#ifndef STARLING_CEDIT_H
#define STARLING_CEDIT_H

#include <stddef.h>

typedef struct starling_editor starling_editor;

// What the editor waits for, as `wait` answers.
enum {
  STARLING_EDITOR_END = 0,        // the terminal is gone
  STARLING_EDITOR_KEY = 1,        // a byte can be read from standard input
  STARLING_EDITOR_INTERRUPT = 2,  // Ctrl-C: the line is abandoned
  STARLING_EDITOR_RESIZE = 3,     // the terminal has another size
  STARLING_EDITOR_SUSPEND = 4,    // Ctrl-Z: the process is to stop, until it is continued
  STARLING_EDITOR_RESUME = 5,     // another process may have had the terminal
};

// How reading a line ended.
enum {
  STARLING_EDITOR_LINE = 0,
  STARLING_EDITOR_CLOSED = 1,     // Ctrl-D on an empty line, or the end of the input
  STARLING_EDITOR_ABANDONED = 2,  // Ctrl-C
};

typedef struct {
  void *context;
  // Blocks until something comes.
  int (*wait)(void *context);
  // Tab: looks at the line (starling_editor_text) and changes or shows something.
  void (*complete)(void *context);
} starling_editor_callbacks;

// Loads libedit.so.2 and makes an editor of the terminal on descriptors 0 and 1. NULL when that
// fails; `message` then says why.
starling_editor *starling_editor_open(const starling_editor_callbacks *callbacks,
                                      const char **message);
void starling_editor_close(starling_editor *editor);

// Reads one line. `text` is without its line end, and good until the next call.
int starling_editor_read(starling_editor *editor, const char *prompt, const char **text,
                         size_t *length);

// Adds an entry to the history, which may have several lines. One equal to an earlier one takes its
// place at the end.
void starling_editor_remember(starling_editor *editor, const char *entry);

// While a line is read: its text, and how many bytes of it stand before the cursor.
const char *starling_editor_text(starling_editor *editor, size_t *length, size_t *cursor);
// Takes bytes as typed, before those that are still to be read.
void starling_editor_type(starling_editor *editor, const char *bytes, size_t length);
// Inserts text at the cursor.
void starling_editor_insert(starling_editor *editor, const char *text);
// Draws the prompt and the line again, from where the cursor of the terminal is.
void starling_editor_redraw(starling_editor *editor);
void starling_editor_beep(starling_editor *editor);

#endif
