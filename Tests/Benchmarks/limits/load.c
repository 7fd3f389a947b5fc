/* The limit for `starling load`: a feed streamed through libxml2's SAX reader in pieces of 64 KB,
   each item made a Lua table, mapped by a Lua function, and inserted as one bare row in one
   transaction. No rules, no causes, no history, no search. With -s the rows are those that
   `starling load` makes of the feed, in a database that Starling made: see same.h.

   load -s FEED MAP DB
   load FEED MAP DB   parse, map and insert
   load FEED MAP      parse and map
   load FEED          parse to Lua tables
   load -p FEED       parse only, with handlers that do nothing */
#include "same.h"

#include <lauxlib.h>
#include <libxml/parser.h>
#include <lua.h>
#include <lualib.h>

enum { item_table = 1, map_function = 2 };

static lua_State *L;
static sqlite3_stmt *insert;
static int mapping, whole, in_item;
static long items;
static char text[1 << 16];
static size_t text_length;

static const char *const columns[] = {"link", "title", "summary", "author", "image", "published"};

static void set_field(const char *name) {
  lua_pushlstring(L, text, text_length);
  lua_setfield(L, item_table, name);
}

static void set_time(const char *name) {
  struct tm fields = {0};
  text[text_length] = 0;
  if (!strptime(text, "%d %b %Y %H:%M:%S", &fields)) return;
  lua_pushinteger(L, timegm(&fields));
  lua_setfield(L, item_table, name);
}

static void append_category(void) {
  if (lua_getfield(L, item_table, "categories") == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 2, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, item_table, "categories");
  }
  lua_pushlstring(L, text, text_length);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

static void store(int entity) {
  for (int i = 0; i < 6; i++) {
    if (lua_getfield(L, entity, columns[i]) == LUA_TSTRING) {
      size_t length;
      const char *bytes = lua_tolstring(L, -1, &length);
      sqlite3_bind_text(insert, i + 1, bytes, (int)length, SQLITE_STATIC);
    } else if (lua_isinteger(L, -1)) {
      sqlite3_bind_int64(insert, i + 1, lua_tointeger(L, -1));
    } else {
      sqlite3_bind_null(insert, i + 1);
    }
  }
  check(db, sqlite3_step(insert), "insert");
  sqlite3_reset(insert);
  lua_pop(L, 6);
}

static void store_whole(int entity) {
  size_t length;
  lua_getfield(L, entity, "link");
  const char *key = lua_tolstring(L, -1, &length);
  sqlite3_int64 row = store_entity(L, entity, key, length);
  lua_pop(L, 1);
  apply_rules(L, entity, row);
  remember(L, entity, row);
}

static void end_item(void) {
  items++;
  in_item = 0;
  if (mapping) {
    lua_pushvalue(L, map_function);
    lua_pushvalue(L, item_table);
    if (lua_pcall(L, 1, 1, 0)) fail("map", lua_tostring(L, -1));
    if (insert) store(lua_gettop(L));
    if (whole) store_whole(lua_gettop(L));
    lua_settop(L, map_function);
  }
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **declared, int count, int defaulted,
                     const xmlChar **attributes) {
  (void)context, (void)prefix, (void)uri, (void)namespaces, (void)declared, (void)defaulted;
  text_length = 0;
  if (strcmp((const char *)name, "item") == 0) {
    in_item = 1;
    lua_createtable(L, 0, 8);
    lua_replace(L, item_table);
  } else if (in_item && strcmp((const char *)name, "thumbnail") == 0) {
    for (int i = 0; i < count; i++, attributes += 5)
      if (strcmp((const char *)attributes[0], "url") == 0) {
        lua_pushlstring(L, (const char *)attributes[3], (size_t)(attributes[4] - attributes[3]));
        lua_setfield(L, item_table, "image");
      }
  }
}

static void on_text(void *context, const xmlChar *bytes, int length) {
  (void)context;
  if (!in_item || text_length + (size_t)length >= sizeof text) return;
  memcpy(text + text_length, bytes, (size_t)length);
  text_length += (size_t)length;
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)context, (void)prefix, (void)uri;
  const char *element = (const char *)name;
  if (!in_item) return;
  if (whole) hash(item_hash, text, text_length);
  if (strcmp(element, "item") == 0) end_item();
  else if (strcmp(element, "title") == 0) set_field("title");
  else if (strcmp(element, "link") == 0) set_field("url");
  else if (strcmp(element, "guid") == 0) set_field("id");
  else if (strcmp(element, "description") == 0) set_field("summary");
  else if (strcmp(element, "creator") == 0) set_field("author");
  else if (strcmp(element, "pubDate") == 0) set_time("published");
  else if (strcmp(element, "category") == 0) append_category();
}

static void skip_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                       int namespaces, const xmlChar **declared, int count, int defaulted,
                       const xmlChar **attributes) {
  (void)context, (void)prefix, (void)uri, (void)namespaces, (void)declared, (void)count;
  (void)defaulted, (void)attributes;
  if (strcmp((const char *)name, "item") == 0) items++;
}

static void skip_text(void *context, const xmlChar *bytes, int length) {
  (void)context, (void)bytes, (void)length;
}

static void skip_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)context, (void)name, (void)prefix, (void)uri;
}

static void parse(const char *path, int bare) {
  xmlSAXHandler handler = {0};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = bare ? skip_start : on_start;
  handler.endElementNs = bare ? skip_end : on_end;
  handler.characters = handler.cdataBlock = bare ? skip_text : on_text;
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be opened");
  static char piece[1 << 16];
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
  size_t length;
  while ((length = fread(piece, 1, sizeof piece, file)) > 0)
    xmlParseChunk(parser, piece, (int)length, 0);
  xmlParseChunk(parser, piece, 0, 1);
  if (!parser->wellFormed) fail(path, "is not well formed");
  if (parser->myDoc) xmlFreeDoc(parser->myDoc);
  xmlFreeParserCtxt(parser);
  fclose(file);
}

static void open_store(const char *path) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  check(db, sqlite3_open(path, &db), path);
  run_sql(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
              "CREATE TABLE news (id INTEGER PRIMARY KEY, link TEXT NOT NULL UNIQUE, title TEXT,"
              " summary TEXT, author TEXT, image TEXT, published INTEGER);");
  insert = prepare(db, "INSERT INTO news (link, title, summary, author, image, published)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  run_sql(db, "BEGIN IMMEDIATE");
}

int main(int argc, char **argv) {
  int bare = argc > 1 && strcmp(argv[1], "-p") == 0;
  whole = argc > 1 && strcmp(argv[1], "-s") == 0;
  argc -= bare + whole, argv += bare + whole;
  if (argc < 2 || argc > 4) fail("usage", "load [-p | -s] FEED [MAP.lua [DB]]");
  const char *feed = argv[1];
  L = luaL_newstate();
  luaL_openlibs(L);
  lua_pushnil(L);
  lua_pushnil(L);
  if (argc > 2) {
    if (luaL_dofile(L, argv[2])) fail(argv[2], lua_tostring(L, -1));
    lua_replace(L, map_function);
    lua_settop(L, map_function);
    mapping = 1;
  }
  if (argc > 3 && whole) {
    open_same(L, argv[3], feed);
  } else if (argc > 3) {
    open_store(argv[3]);
  }
  double before = cpu_seconds();
  parse(feed, bare);
  if (db) {
    if (whole) {
      write_remembered();
      write_counter();
    }
    run_sql(db, "COMMIT");
    sqlite3_finalize(insert);
    sqlite3_close(db);
  }
  printf("items %ld\nus_per_item %.3f\n", items, (cpu_seconds() - before) * 1e6 / (double)items);
  lua_close(L);
  return 0;
}
