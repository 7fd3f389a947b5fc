// The one way from Lua into Swift.
#include <stdlib.h>

#include "internal.h"

// luaL_where, seen past Lua code of the host. [-0, +1, m]
static void push_place_of_caller(lua_State *L) {
  lua_Debug frame;
  int level = 1;
  while (lua_getstack(L, level, &frame) && lua_getinfo(L, "S", &frame) &&
         starling_is_host_code(&frame))
    level++;
  luaL_where(L, level);
}

static _Noreturn __attribute__((noinline, cold)) void raise(lua_State *L, starling_host *host, int answer) {
  if (host->is_lost) starling_escape(host);
  switch (answer) {
    case STARLING_RAISE_MEMORY: starling_raise_memory(L);
    case STARLING_RAISE_STOP:
      if (is_late(host)) starling_raise_stop(L);
      lua_pushliteral(L, "stopped");
      break;
    case STARLING_RAISE:
      push_place_of_caller(L);
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
static inline int run_host(lua_State *L, starling_host *host, const host_function *function,
                           const starling_arguments *arguments) {
  poll(L, host);
  check_stack(L, host);
  host->refusing = 0;
  host->read = 0;
  int answer = host->dispatch(function->object, L, arguments);
  host->refusing = 1;
  if (__builtin_expect(answer < 0, 0)) raise(L, host, answer);
  poll(L, host);
  if (__builtin_expect(is_over(host), 0) && starling_over_memory(host))
    starling_raise_memory(L);
  return answer;
}

int call_host(lua_State *L, starling_host *host, int function) {
  static const starling_arguments none = {0};
  return run_host(L, host, &host->functions[function], &none);
}

// Looks at the arguments as far as C can, which is far cheaper than Swift's look. Nearly always all
// of them are plain; where one is not, Swift looks again.
static int enter(lua_State *L, int number) {
  starling_host *host = host_of(L);
  const host_function *function = &host->functions[number];
  starling_arguments arguments = {0};
  int i = 0;
  for (; i < function->texts; i++) {
    // A number becomes its digits in place: the slot is this call's alone. [-0, +0, m]
    arguments.text[i].bytes = lua_tolstring(L, i + 1, &arguments.text[i].length);
    if (arguments.text[i].bytes == NULL) arguments.unusual = 1;
  }
  for (; i < function->plain_count; i++) {
    int type = lua_type(L, i + 1);
    if ((function->plain[i] >> (type + 1) & 1) == 0) arguments.unusual = 1;
    if (type == LUA_TSTRING && i < STARLING_TEXTS)
      arguments.text[i].bytes = lua_tolstring(L, i + 1, &arguments.text[i].length);
  }
  return run_host(L, host, function, &arguments);
}

// A C function for each number: reading an upvalue takes a tenth of a call into the host, and a
// closure for each function is memory for each state.
#define ENTRY(x, y) \
  static int entry_##x##y(lua_State *L) { return enter(L, 0x##x##y); }
#define NAME(x, y) entry_##x##y,
#define ROW(M, x) \
  M(x, 0) M(x, 1) M(x, 2) M(x, 3) M(x, 4) M(x, 5) M(x, 6) M(x, 7) \
  M(x, 8) M(x, 9) M(x, a) M(x, b) M(x, c) M(x, d) M(x, e) M(x, f)
#define ALL(M) \
  ROW(M, 0) ROW(M, 1) ROW(M, 2) ROW(M, 3) ROW(M, 4) ROW(M, 5) ROW(M, 6) ROW(M, 7) \
  ROW(M, 8) ROW(M, 9) ROW(M, a) ROW(M, b) ROW(M, c) ROW(M, d) ROW(M, e) ROW(M, f)
ALL(ENTRY)
static const lua_CFunction entries[] = {ALL(NAME)};
enum { ENTRIES = sizeof entries / sizeof *entries };

static int trampoline(lua_State *L) {
  return enter(L, (int)lua_tointegerx(L, lua_upvalueindex(1), NULL));  // [-0, +0, -]
}

void starling_push_function(lua_State *L, int function) {
  if (function >= 0 && function < ENTRIES) {
    lua_pushcfunction(L, entries[function]);  // [-0, +1, -]
    return;
  }
  lua_pushinteger(L, function);        // [-0, +1, -]
  lua_pushcclosure(L, trampoline, 1);  // [-1, +1, m]
}

int starling_add_function(starling_host *host, void *object, const uint16_t *plain, int count) {
  if (host->function_count == host->function_capacity) {
    int capacity = host->function_capacity * 2 + 32;
    host_function *grown = realloc(host->functions, (size_t)capacity * sizeof *grown);
    if (grown == NULL) return -1;
    host->functions = grown;
    host->function_capacity = capacity;
  }
  host_function *function = &host->functions[host->function_count];
  *function = (host_function){.object = object};
  function->plain_count =
    (uint8_t)(count < STARLING_PLAIN_ARGUMENTS ? count : STARLING_PLAIN_ARGUMENTS);
  for (int i = 0; i < function->plain_count; i++) {
    bool text = plain[i] == STARLING_PLAIN_TEXT;
    function->plain[i] = text ? STARLING_PLAIN_STRING | 1 << (LUA_TNUMBER + 1) : plain[i];
    if (text && function->texts == i && i < STARLING_TEXTS) function->texts++;
  }
  return host->function_count++;
}
