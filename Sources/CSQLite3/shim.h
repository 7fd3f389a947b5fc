#ifndef STARLING_CSQLITE3_SHIM_H
#define STARLING_CSQLITE3_SHIM_H

#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3038000
#error "Starling needs SQLite 3.38 or later (STRICT tables, the -> operators of JSON)"
#endif

/* What Swift cannot say: sentinels that are casts of -1, and variadic functions. */

/* Binds text that SQLite copies before it returns (SQLITE_TRANSIENT). */
static inline int starling_bind_text_copy(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Binds text that stays where it is until the statement is reset (SQLITE_STATIC). */
static inline int starling_bind_text_static(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

/* sqlite3_config(SQLITE_CONFIG_MEMSTATUS): works only before the first connection opens. */
static inline int starling_config_memory_status(int on) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, on);
}

/* sqlite3_db_config for the options that take one number. */
static inline int starling_db_config(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}

/* SQLite keeps the name of a pointer's type, which must be a literal. */
static inline int starling_bind_row_test(sqlite3_stmt *statement, int index, void *test) {
  return sqlite3_bind_pointer(statement, index, test, "starling_row_test", (void (*)(void *))0);
}

static inline void *starling_row_test(sqlite3_value *value) {
  return sqlite3_value_pointer(value, "starling_row_test");
}

static inline int starling_bind_row_sink(sqlite3_stmt *statement, int index, void *sink) {
  return sqlite3_bind_pointer(statement, index, sink, "starling_row_sink", (void (*)(void *))0);
}

static inline void *starling_row_sink(sqlite3_value *value) {
  return sqlite3_value_pointer(value, "starling_row_sink");
}

#endif
