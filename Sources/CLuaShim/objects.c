// Userdata of the host: read-only views of documents, and objects with methods. Each holds numbers
// that Swift checks at every use; none holds a pointer.
#include <stdlib.h>

#include "internal.h"

typedef struct {
  starling_host *host;  // tells our userdata from any other
  starling_object object;
} box;

static box *to_box(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA || lua_rawlen(L, index) != sizeof(box)) return NULL;
  box *found = lua_touserdata(L, index);
  return found->host == host_of(L) ? found : NULL;
}

bool starling_to_object(lua_State *L, int index, starling_object *object) {
  const box *found = to_box(L, index);
  if (found == NULL || found->object.form == STARLING_NO_OBJECT) return false;
  *object = found->object;
  return true;
}

static void push_box(lua_State *L, const starling_object *object, int metatable) {
  box *made = lua_newuserdatauv(L, sizeof *made, 0);  // [-0, +1, m]
  made->host = host_of(L);
  made->object = *object;
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
  lua_setmetatable(L, -2);
}

void starling_push_view(lua_State *L, uint32_t slot, uint32_t generation, int64_t node) {
  starling_object object = {STARLING_VIEW, slot, generation, 0, node};
  push_box(L, &object, host_of(L)->view_metatable);
}

void starling_push_object(lua_State *L, int type, uint32_t slot, uint32_t generation) {
  starling_object object = {STARLING_OBJECT, slot, generation, (uint32_t)type, 0};
  push_box(L, &object, type);
}

// May run inside a collection: it writes one number into memory of our own and nothing else.
static int release(lua_State *L) {
  box *found = to_box(L, 1);
  if (found == NULL || found->object.form != STARLING_OBJECT) return 0;
  found->object.form = STARLING_NO_OBJECT;  // once, whoever calls
  starling_host *host = found->host;
  if (host->released_count == host->released_capacity) {
    size_t capacity = host->released_capacity * 2 + 64;
    uint32_t *grown = realloc(host->released, capacity * sizeof *grown);
    if (grown == NULL) return 0;  // the slot stays taken until the state closes
    host->released = grown;
    host->released_capacity = capacity;
  }
  host->released[host->released_count++] = found->object.slot;
  return 0;
}

bool starling_take_released(starling_host *host, uint32_t *slot) {
  if (host->released_count == 0) return false;
  *slot = host->released[--host->released_count];
  return true;
}

static int equal_views(lua_State *L) {
  const box *a = to_box(L, 1), *b = to_box(L, 2);
  lua_pushboolean(L, a != NULL && b != NULL && a->object.form == STARLING_VIEW &&
                         b->object.form == STARLING_VIEW && a->object.slot == b->object.slot &&
                         a->object.generation == b->object.generation &&
                         a->object.node == b->object.node);
  return 1;
}

static int refuse_write(lua_State *L) {
  return luaL_error(L, "attempt to change what can only be read: a feed's body, or a rule's entity");
}

static void set_function(lua_State *L, const char *name, int function) {
  if (function < 0) return;
  starling_push_function(L, function);
  lua_setfield(L, -2, name);  // [-1, +0, e]: no metatable yet
}

static int new_metatable(lua_State *L, const char *name, size_t length) {
  lua_createtable(L, 0, 12);
  lua_pushlstring(L, name, length);
  lua_setfield(L, -2, "__name");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

// One step of pairs over a view: upvalue 1 is the cursor, which Lua code never sees.
static int step_view(lua_State *L) {
  starling_host *host = host_of(L);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  int count = call_host(L, host, host->view_step);  // the next cursor, key, value
  if (count < 3) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushvalue(L, -3);
  lua_replace(L, lua_upvalueindex(1));
  return 2;
}

static int view_pairs(lua_State *L) {
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, step_view, 1);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

void starling_make_view_type(starling_host *host, int index, int length, int step, int next) {
  lua_State *L = host->running;
  host->view_step = step;
  lua_rawgeti(L, LUA_REGISTRYINDEX, host->view_metatable);
  set_function(L, "__index", index);
  set_function(L, "__len", length);
  set_function(L, "__next", next);
  lua_pop(L, 1);
}

int starling_make_object_type(starling_host *host, const char *name, size_t length, int index,
                              int newindex, int len, int pairs, int call) {
  lua_State *L = host->running;
  int type = new_metatable(L, name, length);
  set_function(L, "__index", index);
  set_function(L, "__newindex", newindex);
  set_function(L, "__len", len);
  set_function(L, "__pairs", pairs);
  set_function(L, "__call", call);
  lua_pushcfunction(L, release);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
  return type;
}

static int display_null(lua_State *L) {
  lua_pushliteral(L, "null");
  return 1;
}

// Protected by starling_open.
void starling_open_objects(lua_State *L, starling_host *host) {
  static const char name[] = "read-only view";  // in messages; tostring and type say table
  host->view_metatable = new_metatable(L, name, sizeof name - 1);
  lua_pushcfunction(L, equal_views);
  lua_setfield(L, -2, "__eq");
  lua_pushcfunction(L, refuse_write);
  lua_setfield(L, -2, "__newindex");
  lua_pushcfunction(L, view_pairs);
  lua_setfield(L, -2, "__pairs");
  lua_pop(L, 1);

  lua_createtable(L, 0, 0);
  host->marker_address = lua_topointer(L, -1);
  host->array_marker = luaL_ref(L, LUA_REGISTRYINDEX);

  starling_push_null(L);
  new_metatable(L, "null", 4);
  lua_pushcfunction(L, display_null);
  lua_setfield(L, -2, "__tostring");
  lua_setmetatable(L, -2);  // of all light userdata; there are no others in sight
  lua_pop(L, 1);
}
