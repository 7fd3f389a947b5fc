// The one way from Lua into Swift.
#include <stdlib.h>

#include "internal.h"

static _Noreturn __attribute__((noinline, cold)) void raise(lua_State *L, starling_host *host, int answer) {
  switch (answer) {
    case STARLING_RAISE_MEMORY: starling_raise_memory(L);
    case STARLING_RAISE_STOP:
      if (is_late(host)) starling_raise_stop(L);
      lua_pushliteral(L, "stopped");
      break;
    case STARLING_RAISE:
      luaL_where(L, 1);  // [-0, +1, m]
      lua_insert(L, -2);
      lua_concat(L, 2);  // [-n, +1, e]
      break;
    default: break;
  }
  lua_error(L);
  __builtin_unreachable();
}

// Calls Swift with the current frame's values as arguments. Nothing in Swift's frames longjmps: the
// allocator does not refuse there, and what may run Lua code goes through starling_call.
static inline int run_host(lua_State *L, starling_host *host, int function) {
  poll(L, host);
  check_stack(L, host);
  host->refusing = 0;
  int answer = host->dispatch(host->functions[function], L);
  host->refusing = 1;
  if (__builtin_expect(answer < 0, 0)) raise(L, host, answer);
  poll(L, host);
  if (__builtin_expect(host->used + host->external > host->limit, 0) && starling_over_memory(host))
    starling_raise_memory(L);
  return answer;
}

int call_host(lua_State *L, starling_host *host, int function) {
  return run_host(L, host, function);
}

static int trampoline(lua_State *L) {
  int function = (int)lua_tointegerx(L, lua_upvalueindex(1), NULL);  // [-0, +0, -]
  return run_host(L, host_of(L), function);
}

void starling_push_function(lua_State *L, int function) {
  lua_pushinteger(L, function);        // [-0, +1, -]
  lua_pushcclosure(L, trampoline, 1);  // [-1, +1, m]
}

int starling_add_function(starling_host *host, void *function) {
  if (host->function_count == host->function_capacity) {
    int capacity = host->function_capacity * 2 + 32;
    void **grown = realloc(host->functions, (size_t)capacity * sizeof *grown);
    if (grown == NULL) return -1;
    host->functions = grown;
    host->function_capacity = capacity;
  }
  host->functions[host->function_count] = function;
  return host->function_count++;
}
