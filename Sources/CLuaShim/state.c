// Opening and closing a state.
#include <stdlib.h>

#include "internal.h"

static int panic(lua_State *L) {
  (void)L;
  return 0;  // Lua aborts: an error outside of a protected call is a bug of this module
}

static int open_protected(lua_State *L) {
  starling_host *host = lua_touserdata(L, 1);
  starling_open_library(L, host);
  starling_open_objects(L, host);
  starling_close_globals(L, host);
  return 0;
}

static bool open_library(starling_host *host) {
  lua_State *L = host->L;
  lua_pushcfunction(L, open_protected);   // [-0, +1, -]
  lua_pushlightuserdata(L, host);         // [-0, +1, -]
  return lua_pcall(L, 1, 0, 0) == LUA_OK;  // [-2, +(0|1), -]
}

static void release(starling_host *host) {
  free(host->released);
  free(host->functions);
  free(host);
}

starling_host *starling_open(const starling_options *options) {
  starling_host *host = calloc(1, sizeof *host);
  if (host == NULL) return NULL;
  host->dispatch = options->dispatch;
  host->limit = options->memory_limit;
  host->string_limit = options->string_limit;
  host->library = options->library;
  host->globals = options->globals;
  host->signal = options->signal;
  host->fail_countdown = options->fail_allocation;
  host->refusing = 1;
  atomic_store(&host->deadline, UINT64_MAX);
  host->L = lua_newstate(starling_allocate, host);
  if (host->L != NULL) {
    *(void **)lua_getextraspace(host->L) = host;
    atomic_store(&host->running, host->L);
    lua_atpanic(host->L, panic);
  }
  if (host->L == NULL || !open_library(host)) {
    if (host->L != NULL) lua_close(host->L);
    release(host);
    return NULL;
  }
  host->refusing = 0;
  starling_register(host);
  return host;
}

void starling_close(starling_host *host) {
  starling_unregister(host);
  lua_close(host->L);  // finalizers are ours alone and only queue a number
  starling_interrupt_release(atomic_load(&host->interrupt));
  release(host);
}

lua_State *starling_running(const starling_host *host) {
  return atomic_load_explicit(&host->running, memory_order_relaxed);
}

starling_host *starling_host_of(lua_State *L) { return host_of(L); }
