// Tables that code may read and not change: the library of a plugin, the feed that it maps.
//
// What is new to such a table meets its `__newindex`, and rawset asks whether a table is sealed. But
// Lua writes to a field that is there without asking anybody, and an empty table in front would cost
// each read a detour. So a sealed table is made at its exact size: its fields lie in one block, which
// Lua never moves then, and the block is compared with a copy of it after each outermost call. For
// the whole library that takes a fifth of a microsecond. What differs is put back, so that no other
// call sees it, and is the call's error.
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

enum { DEEPEST_TABLE = 8, NAME_SIZE = 96 };

struct watched_table {
  unsigned char *block, *copy;
  size_t size;
  int table, fields;  // references: the table; another with the same fields, which keeps them
  char prefix[NAME_SIZE];  // of its fields' names in messages: "text."
};

// Its address is a key that no script has: in the metatable of a sealed table, the prefix of its
// fields' names.
static const char seal_key = 0;

// (table, key, ...). The place is that of the Lua code which table.insert, say, was called by.
static int refuse(lua_State *L, const char *prefix) {
  lua_Debug frame;
  int level = 1;
  while (lua_getstack(L, level, &frame) && lua_getinfo(L, "l", &frame) && frame.currentline < 0)
    level++;
  luaL_where(L, level);
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "[...]";
  lua_pushfstring(L, "'%s%s' cannot be set: other calls would see it", prefix, name);
  lua_concat(L, 2);
  return lua_error(L);
}

// Upvalue 1: the prefix.
static int refuse_new(lua_State *L) { return refuse(L, lua_tostring(L, lua_upvalueindex(1))); }

void starling_refuse_sealed(lua_State *L) {
  if (!lua_getmetatable(L, 1)) return;
  bool sealed = lua_rawgetp(L, -1, &seal_key) == LUA_TSTRING;  // [-0, +1, -]
  if (sealed) refuse(L, lua_tostring(L, -1));
  lua_pop(L, 2);
}

typedef struct {
  starling_host *host;
  void *block;
  size_t size;
} block_note;

// Lua manual 5.4, lua_Alloc: what is new and no object of its own is asked for with the size 0. Of a
// new table that is the block of its fields alone.
static void *note_block(void *ud, void *block, size_t old_size, size_t new_size) {
  block_note *note = ud;
  void *made = starling_allocate(note->host, block, old_size, new_size);
  if (block == NULL && old_size == 0 && new_size > 0) {
    note->block = made;
    note->size = new_size;
  }
  return made;
}

static block_note push_exact_table(lua_State *L, starling_host *host, int count) {
  block_note note = {host, NULL, 0};
  lua_setallocf(L, note_block, &note);           // [-0, +0, -]
  lua_createtable(L, 0, count);                  // [-0, +1, m]: memory is not refused now
  lua_setallocf(L, starling_allocate, host);
  return note;
}

static int count_of(lua_State *L, int index) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) count++;
  return count;
}

static bool differs(const watched_table *watched) {
  return memcmp(watched->block, watched->copy, watched->size) != 0;
}

// Whether the block is what was taken for it. The table is at `index`.
static bool is_seen(lua_State *L, int index, const watched_table *watched) {
  lua_pushnil(L);
  if (!lua_next(L, index)) return true;
  lua_pushvalue(L, -2);
  lua_pushlightuserdata(L, (void *)&seal_key);
  lua_rawset(L, index);
  bool seen = differs(watched);
  lua_rawset(L, index);
  return seen && !differs(watched);
}

// Lets go of the tables that are not the library's.
static void forget_feed(starling_host *host, lua_State *L) {
  while (host->watched_count > host->library_tables) {
    watched_table *last = &host->watched[--host->watched_count];
    luaL_unref(L, LUA_REGISTRYINDEX, last->table);
    luaL_unref(L, LUA_REGISTRYINDEX, last->fields);
    free(last->copy);
  }
}

// Watches the table on top, whose fields are those of the table at `fields`.
static void watch(lua_State *L, starling_host *host, block_note note, int fields,
                  const char *prefix) {
  watched_table *grown =
      realloc(host->watched, ((size_t)host->watched_count + 1) * sizeof *host->watched);
  if (grown != NULL) host->watched = grown;
  unsigned char *copy = grown == NULL || note.block == NULL ? NULL : malloc(note.size);
  if (copy == NULL) luaL_error(L, "no memory to seal a table");
  memcpy(copy, note.block, note.size);
  watched_table *watched = &host->watched[host->watched_count++];
  *watched = (watched_table){note.block, copy, note.size, LUA_NOREF, LUA_NOREF, ""};
  snprintf(watched->prefix, sizeof watched->prefix, "%s", prefix);
  int table = lua_gettop(L);
  lua_pushvalue(L, table);
  watched->table = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_createtable(L, 0, 0);
  for (lua_pushnil(L); lua_next(L, fields);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  watched->fields = luaL_ref(L, LUA_REGISTRYINDEX);
  if (!is_seen(L, table, watched)) luaL_error(L, "the fields of a table are not where they were");
}

// Gives the table on top a metatable that refuses new fields. What the table at `old` answers for a
// field that it lacks, it answers too.
static void close_table(lua_State *L, int old, const char *prefix) {
  lua_createtable(L, 0, 4);
  if (lua_getmetatable(L, old)) {
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
    lua_setfield(L, -3, "__index");
    lua_pop(L, 1);
  }
  lua_pushstring(L, prefix);
  lua_pushcclosure(L, refuse_new, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushstring(L, prefix);
  lua_rawsetp(L, -2, &seal_key);
  lua_setmetatable(L, -2);
}

static void push_sealed(lua_State *L, starling_host *host, int index, const char *prefix, int depth);

// A table among the fields is sealed too; the table itself among them (`_G`) is the new one.
static void push_sealed_field(lua_State *L, starling_host *host, int old, int new,
                              const char *prefix, int depth) {
  char name[NAME_SIZE];
  const char *field = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "...";
  if (lua_rawequal(L, -1, old)) {
    lua_pushvalue(L, new);
  } else if (lua_type(L, -1) == LUA_TTABLE && depth < DEEPEST_TABLE) {
    snprintf(name, sizeof name, "%s%s.", prefix, field);
    push_sealed(L, host, lua_absindex(L, -1), name, depth + 1);
  } else {
    lua_pushvalue(L, -1);
  }
}

// Pushes a sealed table with the fields of the table at `index`.
static void push_sealed(lua_State *L, starling_host *host, int index, const char *prefix,
                        int depth) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  int count = count_of(L, index);
  block_note note = push_exact_table(L, host, count);
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    push_sealed_field(L, host, index, table, prefix, depth);
    lua_pushvalue(L, -3);
    lua_insert(L, -2);
    lua_rawset(L, table);
  }
  if (count > 0) watch(L, host, note, table, prefix);
  close_table(L, index, prefix);
}

// The sealed tables in the places of those that they were made of.
static void exchange_library(lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  int loaded = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, loaded);) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushvalue(L, -1);
    lua_rawget(L, loaded - 1);
    lua_rawset(L, loaded);
  }
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_getfield(L, loaded - 1, "string");
  lua_setfield(L, -2, "__index");
  lua_settop(L, loaded - 1);
}

static int seal_library(lua_State *L) {
  starling_host *host = host_of(L);
  lua_pushglobaltable(L);
  push_sealed(L, host, lua_gettop(L), "", 0);
  exchange_library(L);
  starling_seal_globals(L, host);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  host->library_tables = host->watched_count;
  return 0;
}

// (table, name); gives the sealed one.
static int seal_table(lua_State *L) {
  starling_host *host = host_of(L);
  forget_feed(host, L);
  push_sealed(L, host, 1, lua_tostring(L, 2), 0);
  return 1;
}

// Whatever ended it: the note of a block is gone with its frame.
static bool call(lua_State *L, int arguments, int results) {
  bool done = lua_pcall(L, arguments, results, 0) == LUA_OK;
  lua_setallocf(L, starling_allocate, host_of(L));
  return done;
}

bool starling_seal_library(starling_host *host) {
  lua_State *L = host->running;
  if (!lua_checkstack(L, LUA_MINSTACK)) return false;
  lua_pushcfunction(L, seal_library);
  bool done = call(L, 0, 0);
  if (!done) lua_pop(L, 1);
  return done;
}

bool starling_seal_table(lua_State *L, const char *prefix) {
  lua_pushcfunction(L, seal_table);
  lua_insert(L, -2);
  lua_pushstring(L, prefix);
  if (call(L, 2, 1)) return true;
  forget_feed(host_of(L), L);
  return false;
}

bool starling_has_changes(const starling_host *host) {
  for (int i = 0; i < host->watched_count; i++)
    if (differs(&host->watched[i])) return true;
  return false;
}

// Pushes the name of a field that is not what it was, or answers false: the same value may have been
// written in other bytes.
static bool push_change(lua_State *L, const watched_table *watched) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, watched->table);
  lua_rawgeti(L, LUA_REGISTRYINDEX, watched->fields);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawget(L, -5);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (same) continue;
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "...";
    lua_pushfstring(L, "%s%s", watched->prefix, name);
    lua_replace(L, -5);
    lua_pop(L, 3);
    return true;
  }
  lua_pop(L, 2);
  return false;
}

// The values in the copy are kept by `fields`, so that the collector has them whatever stood in the
// block meanwhile.
int starling_take_back(starling_host *host, lua_State *L, int base, int status) {
  bool found = false;
  for (int i = 0; i < host->watched_count; i++) {
    watched_table *watched = &host->watched[i];
    if (!differs(watched)) continue;
    if (!found) found = lua_checkstack(L, 8) && push_change(L, watched);
    memcpy(watched->block, watched->copy, watched->size);
  }
  if (!found) return status;
  if (status != STARLING_OK) {
    lua_pop(L, 1);
    return status;
  }
  lua_insert(L, base);
  lua_settop(L, base);
  return STARLING_CHANGED;
}

void starling_forget_sealed(starling_host *host) {
  for (int i = 0; i < host->watched_count; i++) free(host->watched[i].copy);
  free(host->watched);
}

// MARK: Where it was

// At each line looks whether the one before it made a change.
static void note_change(lua_State *L, lua_Debug *event) {
  starling_host *host = host_of(L);
  if (host->change_is_placed) return;
  if (starling_has_changes(host)) {
    host->change_is_placed = true;
    return;
  }
  lua_getinfo(L, "Sl", event);  // [-0, +0, m]: these letters take no memory
  snprintf(host->return_source, SOURCE_SIZE, "%s", starling_source_of(event));
  host->return_line = event->currentline;
}

void starling_trace_changes(starling_host *host, bool on) {
  host->traces_changes = on;
  host->change_is_placed = false;
}

void starling_hook_changes(starling_host *host, lua_State *L) {
  host->return_line = 0;
  host->change_is_placed = false;
  lua_sethook(L, note_change, LUA_MASKLINE, 0);
}
