// A counting allocator that refuses only while Lua code runs, so that whatever Swift pushes
// succeeds and a refusal unwinds C frames alone.
#include <stdlib.h>

#include "internal.h"

// The memory that a string object takes beside its bytes, at most.
enum { STRING_OVERHEAD = 32 };

// A frame of Lua's (Lua 5.4, lstate.h, CallInfo). Of another size it would but not be counted.
enum { FRAME_SIZE = 8 * sizeof(void *) };

// `held`: what the block takes now.
static bool must_refuse(starling_host *host, const void *block, size_t old_size, size_t held,
                    size_t new_size) {
  if (host->force_refusal > 0) {
    host->force_refusal--;
    return true;
  }
  if (host->fail_countdown > 0 && --host->fail_countdown == 0) {
    host->fail_countdown = 1;  // and every later one, also Lua's retry after a collection
    return true;
  }
  // Lua manual 5.4, lua_Alloc: for a new object `old_size` is its type.
  if (block == NULL && old_size == LUA_TSTRING &&
      new_size > host->string_limit + STRING_OVERHEAD) {
    host->string_refused = 1;
    return true;
  }
  size_t growth = heap_size(new_size) - held;
  if (host->heap.used + host->external + growth <= host->limit) return false;
  host->string_refused = 0;
  return true;
}

// Keeps where it was: memory that is out is an error without a message handler. At an allocation the
// stack of Lua is in order, and nothing of it is moved here. A collection may still find the memory,
// so that the last refusal of a call is the one that ended it.
static bool refuses(starling_host *host, const void *block, size_t old_size, size_t held,
                    size_t new_size) {
  if (!must_refuse(host, block, old_size, held, new_size)) return false;
  lua_State *L = starling_running(host);
  if (L == NULL || host->depth == 0) return true;
  starling_record(L, &host->refusal, 0);
  host->refusal_is_placed = true;
  return true;
}

// A small heap may grow fourfold between collections: each one looks at the whole library, which is
// most of what a small state has. (Lua manual 5.4, 2.5.1.) Lua's own pause comes in where memory
// counts, so that collections go on in small steps below the limit.
enum { SMALL_HEAP_PAUSE = 400, PAUSE = 200, SMALL_HEAP = 4 << 20 };

void starling_set_pause(starling_host *host) {
  lua_gc(host->L, LUA_GCSETPAUSE, SMALL_HEAP_PAUSE);  // [-0, +0, -]
}

static void note_peak(starling_host *host) {
  if (host->heap.used <= host->peak) return;
  bool was_small = host->peak <= SMALL_HEAP;
  host->peak = host->heap.used;
  // A plain store into Lua's state, which may stand at any of its allocations.
  if (was_small && host->peak > SMALL_HEAP) lua_gc(host->L, LUA_GCSETPAUSE, PAUSE);
}

void *starling_allocate(void *ud, void *block, size_t old_size, size_t new_size) {
  starling_host *host = ud;
  bool bounded = host->refusing != 0;
  if (new_size == 0) {
    if (block == NULL) return NULL;
    if (old_size == FRAME_SIZE) host->frames_given++;
    heap_free(&host->heap, block, old_size);
    return NULL;
  }
  if (block == NULL) {
    if (bounded && refuses(host, NULL, old_size, 0, new_size)) return NULL;
    block = heap_allocate(&host->heap, new_size, bounded);
  } else {
    bool grows = new_size > old_size;  // Lua assumes that shrinking never fails
    if (grows && bounded && refuses(host, block, old_size, heap_size(old_size), new_size))
      return NULL;
    block = heap_reallocate(&host->heap, block, old_size, new_size, bounded && grows);
  }
  note_peak(host);
  return block;
}

size_t starling_memory_used(const starling_host *host) { return host->heap.used + host->external; }
size_t starling_memory_peak(const starling_host *host) { return host->peak; }
void starling_reset_peak(starling_host *host) { host->peak = host->heap.used; }

size_t starling_memory_limit(const starling_host *host) { return host->limit - host->reserve; }

static size_t with_reserve(size_t limit, size_t old, size_t new) {
  return limit - old > SIZE_MAX - new ? SIZE_MAX : limit - old + new;
}

void starling_set_reserve(starling_host *host, size_t bytes) {
  host->limit = with_reserve(host->limit, host->reserve, bytes);
  host->heap.ceiling = with_reserve(host->heap.ceiling, host->reserve, bytes);
  host->reserve = bytes;
}

void starling_charge(starling_host *host, size_t bytes) { host->external += bytes; }

void starling_discharge(starling_host *host, size_t bytes) {
  host->external -= bytes < host->external ? bytes : host->external;
}

bool starling_over_memory(starling_host *host) {
  if (!is_over(host)) return false;
  starling_collect(host);
  return is_over(host);
}

size_t starling_room(const starling_host *host) {
  size_t used = starling_memory_used(host);
  return used < host->limit ? host->limit - used : 0;
}

bool starling_has_room(starling_host *host, size_t bytes) {
  for (int tries = 0; tries < 2; tries++) {
    if (bytes <= starling_room(host) && !is_over(host)) return true;
    if (tries == 0) starling_collect(host);
  }
  return false;
}

void starling_fail_allocation(starling_host *host, long n) {
  host->fail_countdown = n;
}

// Lets Lua raise its own memory error, whose message needs no memory. Only from C under a
// protected call.
_Noreturn void starling_raise_memory(lua_State *L) {
  starling_host *host = host_of(L);
  host->force_refusal = 2;  // the allocation, and Lua's retry after an emergency collection
  lua_newuserdatauv(L, 1, 0);  // [-0, +1, m]: always refused
  abort();
}
