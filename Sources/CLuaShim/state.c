// Opening and closing a state.
#include <stdlib.h>

#include "internal.h"

// What scattered blocks may leave unused in their pages beyond the limit.
static const size_t HEAP_SLACK = 12u << 20;

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

// The state's heap goes at one stroke. Nothing is finalized: host objects are Swift's to release.
static void release(starling_host *host) {
  heap_destroy(&host->heap);
  free(host->released);
  starling_forget_sealed(host);
  free(host->functions);
  free(host->threads);
  free(host);
}

starling_host *starling_open(const starling_options *options) {
  starling_host *host = calloc(1, sizeof *host);
  if (host == NULL) return NULL;
  host->dispatch = options->dispatch;
  host->limit = options->memory_limit;
  host->heap.ceiling = options->memory_limit > SIZE_MAX - HEAP_SLACK
                          ? SIZE_MAX
                          : options->memory_limit + HEAP_SLACK;
  host->string_limit = options->string_limit;
  host->library = options->library;
  host->globals = options->globals;
  host->signal = options->signal;
  host->fail_countdown = options->fail_allocation;
  host->has_seed = options->has_seed;
  host->seed = options->seed;
  host->most_results = -1;
  host->refusing = 1;
  atomic_store(&host->deadline, UINT64_MAX);
  host->L = lua_newstate(starling_allocate, host);
  if (host->L != NULL) {
    *(void **)lua_getextraspace(host->L) = host;
    atomic_store(&host->running, host->L);
    lua_atpanic(host->L, panic);
    starling_set_pause(host);
  }
  if (host->L == NULL || !open_library(host)) {
    release(host);
    return NULL;
  }
  host->refusing = 0;
  starling_register(host);
  return host;
}

void starling_close(starling_host *host) {
  starling_unregister(host);
  starling_interrupt_release(atomic_load(&host->interrupt));
  release(host);
}

lua_State *starling_running(const starling_host *host) {
  return atomic_load_explicit(&host->running, memory_order_relaxed);
}

starling_host *starling_host_of(lua_State *L) { return host_of(L); }
