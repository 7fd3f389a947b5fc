/* The searches of workloads/fetch.lua as statements, each with its values in it. Those over an
   index say which side they start from, as the store does. */
#ifndef SEARCHES_H
#define SEARCHES_H

#include "rows.h"

typedef struct {
  const char *name;
  const kind_of_rows *rows;
  const char *rest;
  sqlite3_stmt *statement;
} search;

#define BY_ENTITY " e CROSS JOIN favorites f ON f.entity = e.rowid "
#define LATEST " ORDER BY f.starred_at DESC, f.entity DESC LIMIT ?1"

static search searches[] = {
  {"newest", &news,
   "news" BY_ENTITY "WHERE e.published IS NOT NULL ORDER BY e.published DESC, e.rowid DESC LIMIT ?1",
   NULL},
  {"starred", &news,
   "favorites f CROSS JOIN news e ON e.rowid = f.entity"
   " WHERE f.kind = (SELECT id FROM kinds WHERE name = 'news')" LATEST, NULL},
  {"author", &news,
   "news" BY_ENTITY "WHERE e.author = 'author 13' COLLATE NOCASE" LATEST, NULL},
  {"since", &news,
   "news" BY_ENTITY "WHERE e.published >= 1600003600 ORDER BY e.published DESC, e.rowid DESC LIMIT ?1",
   NULL},
  {"title", &news,
   "news" BY_ENTITY "WHERE e.author = 'author 13' COLLATE NOCASE"
   " ORDER BY e.title COLLATE NOCASE, e.rowid LIMIT ?1", NULL},
  {"has", &news,
   "favorites f CROSS JOIN news e ON e.rowid = f.entity"
   " WHERE f.kind = (SELECT id FROM kinds WHERE name = 'news') AND e.title LIKE '%电池%'" LATEST,
   NULL},
  {"price", &cars,
   "car_type" BY_ENTITY "WHERE e.price_low IS NOT NULL ORDER BY e.price_low, e.rowid LIMIT ?1", NULL},
};

static search *find_search(sqlite3 *db, const char *name) {
  for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
    if (strcmp(searches[i].name, name) != 0) continue;
    if (!searches[i].statement)
      searches[i].statement = select_rows(db, searches[i].rows, searches[i].rest);
    return &searches[i];
  }
  fail(name, "is no search");
}

#endif
