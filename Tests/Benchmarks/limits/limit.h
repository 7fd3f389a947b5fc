/* What the limit programs share: a clock of CPU time, and an end when something fails. */
#ifndef LIMIT_H
#define LIMIT_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* CPU time of this process, user and system, in seconds. */
static inline double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

_Noreturn static inline void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

/* Fails unless the code is one of SQLite's three ways to say that all is well. */
static inline void check(sqlite3 *db, int code, const char *what) {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) fail(what, sqlite3_errmsg(db));
}

static inline void run_sql(sqlite3 *db, const char *sql) {
  check(db, sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
}

static inline sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement = NULL;
  check(db, sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
  return statement;
}

#endif
