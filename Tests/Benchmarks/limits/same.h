/* What `load -s` does beside the writes of writes.h, so that its rows are those of `starling load`
   with the rules of workloads/rules.lua: plain texts, canonical links, the ten rules, what the
   rules saw, the run, and what each item became. All of it is made for the measured feed alone: no
   markup but tags and a few references, no letters but those of ASCII that have a case. */
#ifndef SAME_H
#define SAME_H

#include "writes.h"

static sqlite3_int64 source_id, run_id;
static sqlite3_stmt *tag_statement, *run_history_statement, *rule_cause_statement;

/* The letter that a reference stands for, and its end; none of those that are measured is longer. */
static char reference(const char *at, const char *end, const char **past) {
  static const struct { const char *name; size_t length; char letter; } known[] = {
    {"&amp;", 5, '&'}, {"&lt;", 4, '<'}, {"&gt;", 4, '>'}, {"&quot;", 6, '"'}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if ((size_t)(end - at) >= known[i].length && !memcmp(at, known[i].name, known[i].length)) {
      *past = at + known[i].length;
      return known[i].letter;
    }
  *past = at + 1;
  return *at;
}

/* text.plain(html): the text as a person reads it. */
static int plain(lua_State *L) {
  static char out[1 << 16], stops[256] = {['<'] = 1, ['&'] = 1, [' '] = 1, ['\t'] = 1, ['\n'] = 1,
                                          ['\r'] = 1};
  size_t length;
  const char *at = lua_tolstring(L, 1, &length);
  if (!at || length > sizeof out) return 1;
  const char *end = at + length;
  char *to = out, *begin = out;
  while (at < end) {
    while (at < end && !stops[(unsigned char)*at]) *to++ = *at++;
    if (at == end) break;
    if (*at == '&') {
      *to++ = reference(at, end, &at);
      continue;
    }
    const char *tag = *at == '<' ? memchr(at, '>', (size_t)(end - at)) : at;
    if (!tag) break;
    at = tag + 1;
    if (to > begin && to[-1] != ' ') *to++ = ' ';
  }
  if (to > begin && to[-1] == ' ') to--;
  lua_pushlstring(L, out, (size_t)(to - out));
  return 1;
}

/* url.canonical(address): the address without what only says where it was found. */
static int canonical(lua_State *L) {
  static char out[8192];
  size_t length;
  const char *url = lua_tolstring(L, 1, &length);
  const char *query = url ? memchr(url, '?', length) : NULL;
  if (!query || length >= sizeof out) {
    lua_settop(L, 1);
    return 1;
  }
  size_t n = (size_t)(query - url);
  memcpy(out, url, n);
  char mark = '?';
  for (const char *at = query + 1, *end = url + length; at < end;) {
    const char *next = memchr(at, '&', (size_t)(end - at));
    if (!next) next = end;
    if (next - at < 4 || memcmp(at, "utm_", 4) != 0) {
      out[n++] = mark;
      mark = '&';
      memcpy(out + n, at, (size_t)(next - at));
      n += (size_t)(next - at);
    }
    at = next + 1;
  }
  lua_pushlstring(L, out, n);
  return 1;
}

/* The items' hashes and what they became, as the store remembers them. */
enum { remembered_most = 1 << 16 };
static uint64_t item_hash[2], *remembered;
static size_t remembered_count;

static inline uint64_t fold(uint64_t left, uint64_t right) {
  unsigned __int128 product = (unsigned __int128)left * right;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void hash(uint64_t lanes[2], const char *bytes, size_t length) {
  uint64_t first = lanes[0] ^ length, second = lanes[1], part[2];
  for (; length >= 16; bytes += 16, length -= 16) {
    memcpy(part, bytes, 16);
    first = fold(part[0] ^ 0xA0761D6478BD642FULL, part[1] ^ first);
    second = fold(part[0] ^ second, part[1] ^ 0xE7037ED1A0B428DBULL);
  }
  part[0] = part[1] = 0;
  memcpy(part, bytes, length);
  lanes[0] = fold(part[0] ^ 0xA0761D6478BD642FULL, part[1] ^ first);
  lanes[1] = fold(part[0] ^ second, part[1] ^ 0xE7037ED1A0B428DBULL);
}

static void remember(lua_State *L, int entity, sqlite3_int64 row) {
  if (remembered_count >= remembered_most) return;
  if (!remembered) remembered = calloc(remembered_most, 5 * sizeof *remembered);
  if (!remembered) fail("items", "no memory");
  uint64_t lanes[2] = {1, 2};
  for (int i = 0; i < field_count; i++) {
    size_t length;
    if (lua_getfield(L, entity, fields[i]) == LUA_TSTRING) {
      const char *text = lua_tolstring(L, -1, &length);
      hash(lanes, text, length);
    } else if (lua_istable(L, -1)) {
      for (lua_Integer k = 1; lua_rawgeti(L, -1, k) == LUA_TSTRING; k++) {
        const char *text = lua_tolstring(L, -1, &length);
        hash(lanes, text, length);
        lua_pop(L, 1);
      }
      lua_pop(L, 1);
    } else {
      lua_Integer number = lua_tointeger(L, -1);
      hash(lanes, (const char *)&number, sizeof number);
    }
    lua_pop(L, 1);
  }
  uint64_t *at = remembered + 5 * remembered_count++;
  at[0] = item_hash[0], at[1] = item_hash[1], at[2] = (uint64_t)kind, at[3] = (uint64_t)row;
  at[4] = lanes[0];
  item_hash[0] = item_hash[1] = 0;
}

static void write_remembered(void) {
  sqlite3_stmt *statement =
    prepare(db, "INSERT OR REPLACE INTO _items (source, items) VALUES (?1, ?2)");
  sqlite3_bind_int64(statement, 1, source_id);
  sqlite3_bind_blob64(statement, 2, remembered, 5 * sizeof *remembered * remembered_count, NULL);
  run(statement);
  sqlite3_finalize(statement);
}

/* The ten rules. */
struct rule {
  const char *name, *tag, *field, *condition;
  sqlite3_int64 actor;
};
static struct rule rules[] = {
  {"Languages", "dev", "title", "word { \\\"Swift\\\", \\\"Lua\\\" }", 0},
  {"Databases", "dev", "title", "word \\\"SQLite\\\"", 0},
  {"Ada", NULL, "title", "has \\\"kernel compiler\\\"", 0},
  {"Batteries", "ev", "title", "has { \\\"电池 续航\\\", \\\"固态电池\\\" }", 0},
  {"Orbit", NULL, "title", "has \\\"orbit planet\\\"", 0},
  {"Old", NULL, "published", "before \\\"2020-01-01\\\"", 0},
  {"Health", NULL, "title", "has \\\"coffee museum\\\"", 0},
  {"Host", NULL, "link", "has \\\"archive.example.org\\\"", 0},
  {"Summary", NULL, "summary", "has \\\"the word that never comes\\\"", 0},
};

/* A text of the entity in small letters. */
struct text {
  char *bytes;
  size_t length;
};

static struct text small(lua_State *L, int entity, const char *name, char *room, size_t size) {
  struct text text = {room, 0};
  lua_getfield(L, entity, name);
  const char *bytes = lua_tolstring(L, -1, &text.length);
  if (!bytes || text.length >= size) text.length = 0;
  for (size_t i = 0; i < text.length; i++) {
    char byte = bytes[i];
    room[i] = (char)(byte + ((unsigned char)(byte - 'A') < 26) * 32);
  }
  room[text.length] = 0;
  lua_pop(L, 1);
  return text;
}

#define has(text, needle) (memmem((text).bytes, (text).length, needle, sizeof needle - 1) != NULL)

/* Whether the text has a word that begins and ends where it does. */
static int has_word(struct text text, const char *word, size_t length) {
  const char *at = text.bytes, *end = text.bytes + text.length;
  for (; (at = memmem(at, (size_t)(end - at), word, length)); at++)
    if ((at == text.bytes || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ')) return 1;
  return 0;
}

static int matches(int rule, struct text title, struct text author, struct text link,
                   struct text summary, lua_Integer published, int is_health) {
  switch (rule) {
    case 0: return has_word(title, "swift", 5) || has_word(title, "lua", 3);
    case 1: return has_word(title, "sqlite", 6);
    case 2: return strcmp(author.bytes, "ada byron") == 0 && has(title, "kernel compiler");
    case 3: return has(title, "电池 续航") || has(title, "固态电池");
    case 4: return has(title, "orbit planet");
    case 5: return published < 1577836800;
    case 6: return is_health && has(title, "coffee museum");
    case 7: return has(link, "archive.example.org");
    default: return has(summary, "the word that never comes");
  }
}

static sqlite3_int64 rule_actor(struct rule *rule) {
  if (rule->actor) return rule->actor;
  sqlite3_stmt *insert =
    prepare(db, "INSERT INTO actors (origin, name, version) VALUES ('rule', ?1, 'limit')");
  sqlite3_bind_text(insert, 1, rule->name, -1, SQLITE_STATIC);
  run(insert);
  sqlite3_finalize(insert);
  return rule->actor = sqlite3_last_insert_rowid(db);
}

static void write_star(sqlite3_int64 row, int number, struct rule *rule, const char *value) {
  static char evidence[1 << 17], tags[256];
  sqlite3_int64 now = time(NULL), by = rule_actor(rule);
  if (number == 1) {
    sqlite3_bind_int64(favorite_statement, 1, row);
    sqlite3_bind_int64(favorite_statement, 2, kind);
    sqlite3_bind_int64(favorite_statement, 3, now);
    run(favorite_statement);
  }
  int size = snprintf(evidence, sizeof evidence,
                      "[{\"field\":\"%s\",\"value\":\"%s\",\"condition\":\"%s\"}]", rule->field,
                      value, rule->condition);
  sqlite3_bind_int64(rule_cause_statement, 1, row);
  sqlite3_bind_int(rule_cause_statement, 2, number);
  sqlite3_bind_int64(rule_cause_statement, 3, by);
  bind(rule_cause_statement, 4, evidence, (size_t)size);
  sqlite3_bind_int64(rule_cause_statement, 5, now);
  run(rule_cause_statement);
  sqlite3_bind_int64(run_history_statement, 1, now);
  sqlite3_bind_text(run_history_statement, 2, number == 1 ? "star" : "cause", -1, SQLITE_STATIC);
  sqlite3_bind_int64(run_history_statement, 3, kind);
  sqlite3_bind_int64(run_history_statement, 4, row);
  sqlite3_bind_int64(run_history_statement, 5, by);
  sqlite3_bind_int64(run_history_statement, 6, run_id);
  sqlite3_bind_null(run_history_statement, 7);
  if (rule->tag) {
    sqlite3_bind_int64(tag_statement, 1, row);
    sqlite3_bind_text(tag_statement, 2, rule->tag, -1, SQLITE_STATIC);
    run(tag_statement);
    snprintf(tags, sizeof tags, "{\"tags\":[\"%s\"]}", rule->tag);
    sqlite3_bind_text(run_history_statement, 7, tags, -1, SQLITE_STATIC);
  }
  run(run_history_statement);
}

static void apply_rules(lua_State *L, int entity, sqlite3_int64 row) {
  static char rooms[3][4096], long_room[1 << 16];
  struct text title = small(L, entity, "title", rooms[0], sizeof rooms[0]);
  if (has(title, "sponsored") || has(title, "赞助")) return;
  struct text author = small(L, entity, "author", rooms[1], sizeof rooms[1]);
  struct text link = small(L, entity, "link", rooms[2], sizeof rooms[2]);
  struct text summary = small(L, entity, "summary", long_room, sizeof long_room);
  int top = lua_gettop(L), is_health = 0, count = 0;
  lua_getfield(L, entity, "published");
  lua_Integer published = lua_tointeger(L, -1);
  if (lua_getfield(L, entity, "categories") == LUA_TTABLE)
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++, lua_pop(L, 1))
      if (strcasestr(lua_tostring(L, -1), "health")) is_health = 1;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (matches((int)i, title, author, link, summary, published, is_health)) {
      lua_getfield(L, entity, "title");
      write_star(row, ++count, rules + i, lua_tostring(L, -1));
    }
  lua_settop(L, top);
}

/* Opens a database that Starling made, for the load of a feed by this name. */
static void open_same(lua_State *L, const char *path, const char *feed) {
  lua_newtable(L);
  lua_pushcfunction(L, plain);
  lua_setfield(L, -2, "plain");
  lua_setglobal(L, "text");
  lua_newtable(L);
  lua_pushcfunction(L, canonical);
  lua_setfield(L, -2, "canonical");
  lua_setglobal(L, "url");
  open_writes(path);
  run_sql(db, "BEGIN IMMEDIATE");
  sqlite3_stmt *insert = prepare(db, "INSERT OR IGNORE INTO sources (name) VALUES (?1)");
  sqlite3_bind_text(insert, 1, feed, -1, SQLITE_STATIC);
  run(insert);
  sqlite3_finalize(insert);
  source_id = number("SELECT max(id) FROM sources");
  sqlite3_bind_int64(insert_statement, field_count + 4, source_id);
  run_sql(db, "INSERT INTO runs (at, title) VALUES (unixepoch(), 'load')");
  run_id = sqlite3_last_insert_rowid(db);
  tag_statement = prepare(db, "INSERT INTO tags (favorite, tag) VALUES (?1, ?2)");
  rule_cause_statement =
    prepare(db, "INSERT INTO causes (favorite, number, actor, evidence, at)"
                " VALUES (?1, ?2, ?3, ?4, ?5)");
  run_history_statement =
    prepare(db, "INSERT INTO history (at, action, kind, entity, actor, run, detail)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
}

#endif
