// Coroutines (Lua manual 5.4, 6.2) that keep track of the one that runs and pass a stop on.
#include "internal.h"

static lua_State *get_coroutine(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "thread");
  return co;
}

// Resumes `co` with the top `count` values of L; answers the count of results, moved to L, or -1
// with the error on top.
static inline __attribute__((always_inline)) int resume(lua_State *L, lua_State *co, int count) {
  starling_host *host = host_of(L);
  int results;
  check_stack(L, host);
  if (!lua_checkstack(co, count)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, count);
  atomic_store_explicit(&host->running, co, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  int status = LUA_ERRRUN;
  if (!is_late(host)) status = lua_resume(co, L, count, &results);
  atomic_store_explicit(&host->running, L, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  if (is_late(host)) {
    // Its to-be-closed variables must never run: hooks do not fire in a thread that died inside one.
    if (status != LUA_OK && status != LUA_YIELD) mark_thread(co, STOPPED_THREAD);
    starling_raise_stop(L);
  }
  if (status == LUA_OK || status == LUA_YIELD) {
    // A function of C has that much room beyond its arguments (Lua manual 5.4, 4.1.1).
    if (results >= LUA_MINSTACK && !lua_checkstack(L, results + 1)) {
      lua_pop(co, results);
      lua_pushliteral(L, "too many results to resume");
      return -1;
    }
    lua_xmove(co, L, results);
    return results;
  }
  lua_xmove(co, L, 1);
  return -1;
}

static int co_resume(lua_State *L) {
  lua_State *co = get_coroutine(L);
  int results = resume(L, co, lua_gettop(L) - 1);
  if (results < 0) {
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushboolean(L, 1);
  lua_insert(L, -(results + 1));
  return results + 1;
}

static int close(lua_State *L, lua_State *co) {
  starling_host *host = host_of(L);
  poll(L, host);
  // lua_resetthread nests without counting C calls in 5.4.4.
  check_stack(L, host);
  if (is_marked(co, STOPPED_THREAD)) luaL_error(L, "cannot close a stopped coroutine");
  atomic_store(&host->running, co);
  int status = lua_resetthread(co);  // [-0, +?, -]
  atomic_store(&host->running, L);
  poll(L, host);
  return status;
}

static int wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = resume(L, co, lua_gettop(L));
  if (results >= 0) return results;
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD) {  // an error inside the coroutine
    close(L, co);
    lua_xmove(co, L, 1);
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int co_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int co_wrap(lua_State *L) {
  co_create(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

static int whole_call(lua_State *L) {
  check_stack(L, host_of(L));
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

void starling_push_whole_call(lua_State *L) { lua_pushcfunction(L, whole_call); }

// Whether that is what keeps code from yielding, as far as a message has to tell.
static bool is_in_whole_call(lua_State *L) {
  enum { LEVELS = 100 };  // each look walks from the top
  lua_Debug frame;
  bool result = false;
  for (int level = 1; level < LEVELS && !result && lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "f", &frame);  // [-0, +1, -]
    result = lua_tocfunction(L, -1) == whole_call;
    lua_pop(L, 1);
  }
  return result;
}

static int co_yield(lua_State *L) {
  if (lua_isyieldable(L)) return lua_yield(L, lua_gettop(L));
  if (is_in_whole_call(L)) return luaL_error(L, "attempt to yield out of a transaction");
  if (is_marked(L, CALL_THREAD)) {
    lua_pushliteral(L, "attempt to yield from outside a coroutine");
    return lua_error(L);
  }
  return lua_yield(L, lua_gettop(L));  // which says why not
}

enum { RUNNING, DEAD, SUSPENDED, NORMAL };
static const char *const status_names[] = {"running", "dead", "suspended", "normal"};

static int status_of(lua_State *L, lua_State *co) {
  if (L == co) return RUNNING;
  switch (lua_status(co)) {
    case LUA_YIELD: return SUSPENDED;
    case LUA_OK: {
      lua_Debug frame;
      if (lua_getstack(co, 0, &frame)) return NORMAL;
      return lua_gettop(co) == 0 ? DEAD : SUSPENDED;
    }
    default: return DEAD;
  }
}

static int co_status(lua_State *L) {
  lua_pushstring(L, status_names[status_of(L, get_coroutine(L))]);
  return 1;
}

static int co_isyieldable(lua_State *L) {
  lua_State *co = lua_isnone(L, 1) ? L : get_coroutine(L);
  lua_pushboolean(L, lua_isyieldable(co));
  return 1;
}

static int co_running(lua_State *L) {
  bool is_main = lua_pushthread(L) || is_marked(L, CALL_THREAD);
  lua_pushboolean(L, is_main);
  return 2;
}

static int co_close(lua_State *L) {
  lua_State *co = get_coroutine(L);
  int status = status_of(L, co);
  if (status != DEAD && status != SUSPENDED)
    return luaL_error(L, "cannot close a %s coroutine", status_names[status]);
  if (close(L, co) == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushboolean(L, 0);
  lua_xmove(co, L, 1);
  return 2;
}

static const luaL_Reg functions[] = {
    {"close", co_close},     {"create", co_create}, {"isyieldable", co_isyieldable},
    {"resume", co_resume},   {"running", co_running}, {"status", co_status},
    {"wrap", co_wrap},       {"yield", co_yield},   {NULL, NULL},
};

void starling_add_coroutine(lua_State *L) { luaL_setfuncs(L, functions, 0); }
