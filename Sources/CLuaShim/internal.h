#ifndef STARLING_INTERNAL_H
#define STARLING_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

#include "CLuaShim.h"
#include "heap.h"

#if LUA_VERSION_NUM != 504
#error "Starling needs Lua 5.4"
#endif

enum { TRACEBACK_SIZE = 4096, SOURCE_SIZE = STARLING_SOURCE_SIZE };

// Where Lua code was, in buffers of its own: it can be written where no memory is left.
typedef struct {
  char source[SOURCE_SIZE];
  int line;  // 0: in no Lua function
  char traceback[TRACEBACK_SIZE];
  size_t traceback_length;
} code_place;

struct starling_interrupt {
  atomic_int count;
  atomic_int raised;
};

// What C knows of a host function: Swift's object, the types of its arguments that are plain, and
// how many of the first ones are texts.
typedef struct {
  void *object;
  uint16_t plain[STARLING_PLAIN_ARGUMENTS];
  uint8_t plain_count, texts;
} host_function;

typedef struct watched_table watched_table;

struct starling_host {
  lua_State *L;
  // The coroutine that runs. The signal handler arms this one; calls from Swift go on it.
  _Atomic(lua_State *) running;
  starling_dispatch dispatch;
  host_function *functions;
  int function_count, function_capacity;

  // allocator.c
  heap heap;
  size_t peak, limit, reserve, string_limit, external;  // `limit` has the reserve in it
  int refusing;          // Lua code runs: a refused allocation unwinds only C frames
  int string_refused;    // the last refusal was a string beyond string_limit
  int force_refusal;     // raise "not enough memory" through Lua itself
  long fail_countdown;

  // interrupt.c
  atomic_int late;       // STARLING_STOP_...; set by the watchdog, cleared by the outermost call
  atomic_int phase;      // IDLE, BUSY, FIRING
  _Atomic uint64_t deadline;
  uint64_t started, time_used;
  pthread_t thread;
  int signal;
  _Atomic(starling_interrupt *) interrupt;
  starling_host *outer;  // the host whose callback runs this one, on the same thread
  starling_host *next, *previous;

  // escape.c
  sigjmp_buf *escape;    // of the innermost protected call
  uint64_t armed_at;     // processor time when the hook was first armed; 0: not yet
  uint64_t looked_at;    // processor time when it was last looked at whether frames were given back
  size_t frames_given, frames_seen;
  unsigned late_ticks;   // signals that met a thread with its hook
  bool is_lost;          // no Lua code can run any more
  bool stop_is_placed;     // `fault` is where the stop met this call
  bool refusal_is_placed;  // `refusal` is of this call

  // protect.c
  lua_State **threads;   // one for each level of protected calls, made when first needed
  int thread_count;
  int depth;
  unsigned steps;        // of host functions
  int walking;           // tables that Swift is reading
  int reading;           // results of an outermost call, which are read within its time
  int most_results, results_left_out;  // of an outermost call
  size_t read;           // bytes of the texts that the running host function was lent as copies
  const char *stack_floor;
  code_place fault;    // of the last error or stop
  code_place refusal;  // of the last allocation that was refused
  bool traces_returns;
  char return_source[SOURCE_SIZE];  // of the Lua function that returned last
  int return_line;

  // seal.c
  struct watched_table *watched;
  int watched_count;
  int library_tables;    // of these; the others are of the feed at hand
  bool traces_changes, change_is_placed;
  int user_globals;      // a reference: what code defines where the globals are sealed; or 0

  // objects.c
  uint32_t *released;
  size_t released_count, released_capacity;
  int view_metatable, view_step;

  int library, globals;
  int array_marker, metatable_guard, seeding;
  const void *guard_address, *marker_address;
  lua_CFunction stock_format, stock_randomseed;
  bool has_seed;
  int64_t seed;
};

// Low bits of the host's address in a thread's extra space: a coroutine that a stop has killed; a
// thread that a protected call runs on, which is a main one to Lua code.
enum { STOPPED_THREAD = 1, CALL_THREAD = 2 };

static inline starling_host *host_of(lua_State *L) {
  uintptr_t raw = (uintptr_t) * (void **)lua_getextraspace(L);
  return (starling_host *)(raw & ~(uintptr_t)(STOPPED_THREAD | CALL_THREAD));
}

static inline void mark_thread(lua_State *L, uintptr_t mark) {
  void **extra = lua_getextraspace(L);
  *extra = (void *)((uintptr_t)*extra | mark);
}

static inline bool is_marked(lua_State *L, uintptr_t mark) {
  return ((uintptr_t) * (void **)lua_getextraspace(L) & mark) != 0;
}

// allocator.c
static inline bool is_over(const starling_host *host) {
  return host->heap.used + host->external > host->limit;
}

void *starling_allocate(void *ud, void *block, size_t old_size, size_t new_size);
_Noreturn void starling_raise_memory(lua_State *L);
void starling_set_pause(starling_host *host);

// interrupt.c
void starling_register(starling_host *host);
void starling_unregister(starling_host *host);
void starling_begin(starling_host *host, uint64_t budget);
void starling_end(starling_host *host);
void starling_unblock_signal(const starling_host *host);
_Noreturn void starling_raise_stop(lua_State *L);

// escape.c
void starling_find_lua_code(void);
void starling_arm(starling_host *host, lua_State *L, lua_Hook hook, int mask);  // async-signal-safe
bool starling_may_escape(starling_host *host, const void *context);  // async-signal-safe
_Noreturn void starling_escape(starling_host *host);
void starling_lose(starling_host *host);

static inline bool is_late(starling_host *host) {
  return atomic_load_explicit(&host->late, memory_order_relaxed) != STARLING_STOP_NONE;
}

// Ends the running C function when its time is over.
static inline void poll(lua_State *L, starling_host *host) {
  if (__builtin_expect(is_late(host), 0)) starling_raise_stop(L);
}

// trampoline.c
int call_host(lua_State *L, starling_host *host, int function);  // [-0, +results, e]

// protect.c
void starling_collect(starling_host *host);  // a full collection, unless the state is lost
_Noreturn void starling_raise_stack(lua_State *L);
// Keeps where the code of L is, from that level of its stack on. [-0, +0, -]
void starling_record(lua_State *L, code_place *place, int first);
// A chunk's name: whole where it is a file's, which `short_src` cuts after 59 bytes.
const char *starling_source_of(const lua_Debug *frame);
// Whether it is Lua code of the host, whose lines are nobody's business. `frame` has its source.
bool starling_is_host_code(const lua_Debug *frame);

static inline bool stack_is_low(const starling_host *host) {
  return (const char *)__builtin_frame_address(0) < host->stack_floor;
}

static inline void check_stack(lua_State *L, const starling_host *host) {
  if (__builtin_expect(stack_is_low(host), 0)) starling_raise_stack(L);
}

// seal.c
// Raises when the table at 1 is sealed; the key is at 2. [-0, +0, v]
void starling_refuse_sealed(lua_State *L);
bool starling_has_changes(const starling_host *host);
// The end of a call that set what it may not: gives the sealed tables their fields again, and puts the
// name of one in the place of the call's results, from `base` on. An error of its own stays.
int starling_take_back(starling_host *host, lua_State *L, int base, int status);
void starling_forget_sealed(starling_host *host);
void starling_hook_changes(starling_host *host, lua_State *L);
// The sealed globals are on top. [-0, +0, m]
void starling_seal_globals(lua_State *L, starling_host *host);

void starling_tostring(lua_State *L, int index);  // [-0, +1, e]
const char *starling_typename(lua_State *L, int index);  // as messages name it; [-0, +0, -]

// The library; each adds its functions to the table on top. [-0, +0, m]
void starling_add_base(lua_State *L);
void starling_add_metatable(lua_State *L);
void starling_add_coroutine(lua_State *L);
void starling_add_string(lua_State *L);
void starling_add_match(lua_State *L);
void starling_add_table(lua_State *L);
void starling_add_sort(lua_State *L);
lua_Integer starling_table_length(lua_State *L);
void starling_open_library(lua_State *L, starling_host *host);
void starling_open_objects(lua_State *L, starling_host *host);
void starling_close_globals(lua_State *L, starling_host *host);

#endif
