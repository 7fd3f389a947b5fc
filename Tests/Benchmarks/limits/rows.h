/* Rows of the store as tables of Lua, the same tables that Starling gives: every field that there
   is by its type, a list and a price as tables of their own, kind, key, starred_at, tags. */
#ifndef ROWS_H
#define ROWS_H

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <string.h>

#include "limit.h"

typedef enum { TEXT, TIME, LIST, MONEY } field_type;
typedef struct {
  const char *name;
  field_type type;
} field;
typedef struct {
  const char *name;
  const char *columns; /* of the table `e`, the fields in their order */
  const field *fields;
  int count;
} kind_of_rows;

static const field news_fields[] = {{"link", TEXT},   {"title", TEXT}, {"summary", TEXT},
                                    {"author", TEXT}, {"image", TEXT}, {"categories", LIST},
                                    {"published", TIME}};
static const kind_of_rows news = {
  "news", "e.link, e.title, e.summary, e.author, e.image, e.categories, e.published", news_fields, 7};

static const field car_fields[] = {{"site", TEXT},   {"uid", TEXT},    {"name", TEXT}, {"series", TEXT},
                                   {"energy", TEXT}, {"price", MONEY}, {"photo", TEXT}, {"url", TEXT}};
static const kind_of_rows cars = {
  "car_type",
  "e.site, e.uid, e.name, e.series, e.energy, e.price, e.price_low, e.price_high, e.price_currency,"
  " e.photo, e.url", car_fields, 8};

/* What follows the fields in each statement; see select_rows. */
#define ROW_TAIL ", e.key, f.starred_at, f.note, e.rowid," \
                 " EXISTS (SELECT 1 FROM tags WHERE favorite = e.rowid)"

static inline sqlite3_stmt *select_rows(sqlite3 *db, const kind_of_rows *rows, const char *rest) {
  char sql[2048];
  snprintf(sql, sizeof sql, "SELECT %s" ROW_TAIL " FROM %s", rows->columns, rest);
  return prepare(db, sql);
}

static inline void push_text(lua_State *L, sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  lua_pushlstring(L, text, (size_t)sqlite3_column_bytes(statement, column));
}

/* A list as the store writes it: texts in quotes, with escapes of JSON. */
static inline void push_list(lua_State *L, const char *json) {
  lua_createtable(L, 2, 0);
  char plain[1024];
  for (int i = 1; (json = strchr(json, '"')) != NULL; i++) {
    const char *start = ++json;
    size_t length = strcspn(json, "\"\\");
    json += length;
    if (*json == '\\') {
      for (memcpy(plain, start, length); *json && *json != '"'; json++) {
        if (*json == '\\') json++; /* its own texts have no \u */
        if (length < sizeof plain) plain[length++] = *json;
      }
      start = plain;
    }
    lua_pushlstring(L, start, length);
    lua_rawseti(L, -2, i);
    if (*json) json++;
  }
}

static inline void push_amount(lua_State *L, sqlite3_stmt *statement, int column, const char *name) {
  if (sqlite3_column_type(statement, column) == SQLITE_NULL) return;
  double amount = sqlite3_column_double(statement, column);
  if (amount == floor(amount) && fabs(amount) < 9e15) lua_pushinteger(L, (lua_Integer)amount);
  else lua_pushnumber(L, amount);
  lua_setfield(L, -2, name);
}

static inline void push_money(lua_State *L, sqlite3_stmt *statement, int column) {
  lua_createtable(L, 0, 4);
  push_amount(L, statement, column + 1, "low");
  push_amount(L, statement, column + 2, "high");
  if (sqlite3_column_type(statement, column + 3) != SQLITE_NULL) {
    push_text(L, statement, column + 3);
    lua_setfield(L, -2, "currency");
  }
  push_text(L, statement, column);
  lua_setfield(L, -2, "text");
}

static inline void push_tags(lua_State *L, sqlite3_stmt *tags, sqlite3_int64 row, int has_tags) {
  lua_createtable(L, 0, 0);
  if (!has_tags) return;
  sqlite3_bind_int64(tags, 1, row);
  for (int i = 1; sqlite3_step(tags) == SQLITE_ROW; i++) {
    push_text(L, tags, 0);
    lua_rawseti(L, -2, i);
  }
  sqlite3_reset(tags);
}

static inline void push_row(lua_State *L, sqlite3_stmt *statement, const kind_of_rows *rows,
                            sqlite3_stmt *tags) {
  lua_createtable(L, 0, rows->count + 4);
  int column = 0;
  for (int i = 0; i < rows->count; i++) {
    int first = column;
    column += rows->fields[i].type == MONEY ? 4 : 1;
    if (sqlite3_column_type(statement, first) == SQLITE_NULL) continue;
    switch (rows->fields[i].type) {
      case TEXT: push_text(L, statement, first); break;
      case TIME: lua_pushinteger(L, sqlite3_column_int64(statement, first)); break;
      case LIST: push_list(L, (const char *)sqlite3_column_text(statement, first)); break;
      case MONEY: push_money(L, statement, first); break;
    }
    lua_setfield(L, -2, rows->fields[i].name);
  }
  lua_pushstring(L, rows->name);
  lua_setfield(L, -2, "kind");
  push_text(L, statement, column);
  lua_setfield(L, -2, "key");
  lua_pushinteger(L, sqlite3_column_int64(statement, column + 1));
  lua_setfield(L, -2, "starred_at");
  if (sqlite3_column_type(statement, column + 2) != SQLITE_NULL) {
    push_text(L, statement, column + 2);
    lua_setfield(L, -2, "note");
  }
  push_tags(L, tags, sqlite3_column_int64(statement, column + 3),
            sqlite3_column_int(statement, column + 4));
  lua_setfield(L, -2, "tags");
}

#endif
