// Protected calls from Swift, and what is kept of an error.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

#include "internal.h"

// What one chain of Lua's own C recursion (at most 200 levels) may need.
enum { STACK_RESERVE = 160 * 1024 };

static _Thread_local const char *stack_bottom;

#ifdef __linux__
// The main thread's stack as pthread_getattr_np tells it, without its reading of /proc/self/maps,
// which takes as long as the start of a Lua state. The program's name lies at the very top of it
// (getauxval(3)). NULL where the limit is unusual: the kernel keeps 128 MB below the stack free of
// anything else, and no more for certain.
static const char *bottom_of_main_stack(void) {
  struct rlimit limit;
  const char *top = (const char *)getauxval(AT_EXECFN);
  if (top == NULL || getpid() != gettid() || getrlimit(RLIMIT_STACK, &limit) != 0) return NULL;
  if (limit.rlim_cur < STACK_RESERVE * 2 || limit.rlim_cur > (64 << 20)) return NULL;
  return top - limit.rlim_cur + 2 * 4096;
}
#else
static const char *bottom_of_main_stack(void) { return NULL; }
#endif

// Once per thread.
static const char *floor_of_stack(void) {
  if (stack_bottom == NULL) {
    const char *bottom = bottom_of_main_stack();
    pthread_attr_t attributes;
    void *address = NULL;
    size_t size = 0;
    if (bottom == NULL && pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &address, &size);
      pthread_attr_destroy(&attributes);
      bottom = address;
    }
    stack_bottom = bottom + STACK_RESERVE;
  }
  return stack_bottom;
}

_Noreturn void starling_raise_stack(lua_State *L) {
  luaL_error(L, "stack overflow (too many nested calls into the host)");
  __builtin_unreachable();
}

static void add(code_place *place, const char *format, ...) {
  size_t room = TRACEBACK_SIZE - place->traceback_length;
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(place->traceback + place->traceback_length, room, format, arguments);
  va_end(arguments);
  if (written < 0) return;
  place->traceback_length += (size_t)written < room ? (size_t)written : room - 1;
}

const char *starling_source_of(const lua_Debug *frame) {
  return *frame->source == '=' ? frame->source + 1 : frame->short_src;
}

bool starling_is_host_code(const lua_Debug *frame) {
  return strcmp(frame->source, "=" STARLING_HOST_CHUNK) == 0;
}

// Without ends of line, which would make other lines of a traceback.
static void copy_source(char *target, const lua_Debug *frame) {
  snprintf(target, SOURCE_SIZE, "%s", starling_source_of(frame));
  for (; *target != '\0'; target++)
    if (*target == '\n' || *target == '\r') *target = ' ';
}

// Keeps where Lua functions return; of a call its own return is the last.
static void note_return(lua_State *L, lua_Debug *event) {
  starling_host *host = host_of(L);
  lua_getinfo(L, "Sl", event);  // [-0, +0, m]: these letters take no memory
  if (event->currentline <= 0) return;
  copy_source(host->return_source, event);
  host->return_line = event->currentline;
}

static void add_frame(code_place *place, const lua_Debug *frame) {
  char source[SOURCE_SIZE];
  copy_source(source, frame);
  bool has_line = frame->currentline > 0 && !starling_is_host_code(frame);
  if (has_line) add(place, "\n\t%s:%d: in ", source, frame->currentline);
  else add(place, "\n\t%s: in ", source);
  if (strcmp(frame->namewhat, "global") == 0) add(place, "function '%s'", frame->name);
  else if (*frame->namewhat != '\0') add(place, "%s '%s'", frame->namewhat, frame->name);
  else if (*frame->what == 'm') add(place, "main chunk");
  else if (*frame->what != 'C') add(place, "function <%s:%d>", source, frame->linedefined);
  else add(place, "?");
  if (frame->istailcall) add(place, "\n\t(...tail calls...)");
}

// Of a deeper stack the end is not shown: lua_getstack walks to a level from the top.
enum { DEEPEST = 5000 };

// How many levels the stack has, by halving; or more than DEEPEST.
static int depth_of(lua_State *L) {
  lua_Debug frame;
  int low = 1, high = 1;
  if (lua_getstack(L, DEEPEST, &frame)) return DEEPEST + 1;
  while (lua_getstack(L, high, &frame)) {  // [-0, +0, -]
    low = high;
    high *= 2;
  }
  while (low < high) {
    int middle = (low + high) / 2;
    if (lua_getstack(L, middle, &frame)) low = middle + 1;
    else high = middle;
  }
  return high;
}

// No stack slot, no memory, so that it cannot fail.
void starling_record(lua_State *L, code_place *place, int first) {
  enum { FIRST = 12, LAST = 8 };
  lua_Debug frame;
  int depth = depth_of(L);
  place->traceback_length = 0;
  place->source[0] = '\0';
  place->line = 0;
  add(place, "stack traceback:");
  for (int level = first; lua_getstack(L, level, &frame); level++) {
    if (level == FIRST && depth > FIRST + LAST) {
      if (depth > DEEPEST) {
        add(place, "\n\t...\t(more than %d levels)", DEEPEST - FIRST);
        break;
      }
      add(place, "\n\t...\t(skipping %d levels)", depth - FIRST - LAST);
      level = depth - LAST;
      if (!lua_getstack(L, level, &frame)) break;
    }
    lua_getinfo(L, "Slnt", &frame);  // [-0, +0, m]: these letters take no memory
    add_frame(place, &frame);
    if (place->line == 0 && frame.currentline > 0 && !starling_is_host_code(&frame)) {
      copy_source(place->source, &frame);
      place->line = frame.currentline;
    }
  }
}

static int message_handler(lua_State *L) {
  starling_host *host = host_of(L);
  if (!is_late(host)) starling_record(L, &host->fault, 1);  // 0 is this function
  return 1;
}

// What an outer call has that a nested one must give back, and the way out of this one.
typedef struct {
  int refusing;
  lua_State *running;
  sigjmp_buf *escape;
  sigjmp_buf way_out;
} protected_call;

// The thread that a call at this depth runs on; NULL without memory.
static lua_State *call_thread(starling_host *host, lua_State *L) {
  if (host->depth < host->thread_count) return host->threads[host->depth];
  lua_State **grown =
      realloc(host->threads, ((size_t)host->thread_count + 1) * sizeof *host->threads);
  if (grown == NULL || !lua_checkstack(L, 2)) return NULL;
  host->threads = grown;
  lua_State *thread = lua_newthread(L);  // [-0, +1, m]
  luaL_ref(L, LUA_REGISTRYINDEX);        // [-1, +0, m]
  mark_thread(thread, CALL_THREAD);
  host->threads[host->thread_count++] = thread;
  return thread;
}

// Whether a call may begin.
static int look(starling_host *host) {
  if (host->is_lost) return STARLING_LOST;
  if (host->depth == 0) host->stack_floor = floor_of_stack();
  return stack_is_low(host) ? STARLING_TOO_DEEP : STARLING_OK;
}

static void enter(starling_host *host, uint64_t budget, lua_State *thread, protected_call *call) {
  if (host->depth == 0) starling_begin(host, budget);
  host->depth++;
  call->refusing = host->refusing;
  call->running = atomic_load(&host->running);
  call->escape = host->escape;
  host->refusing = 1;
  host->string_refused = 0;
  atomic_store(&host->running, thread);
  atomic_signal_fence(memory_order_seq_cst);
  host->escape = &call->way_out;
}

static void leave(starling_host *host, const protected_call *call, lua_State *thread) {
  host->escape = call->escape;
  host->refusing = call->refusing;
  atomic_store(&host->running, call->running);
  if (is_late(host)) lua_sethook(thread, NULL, 0, 0);
  if (--host->depth == 0) starling_end(host);
}

// The end of a call that was left by a jump: its thread is in no order any more.
static int lose(starling_host *host, const protected_call *call) {
  starling_lose(host);
  host->escape = call->escape;
  host->refusing = call->refusing;
  atomic_store(&host->running, call->running);
  if (--host->depth == 0) starling_end(host);
  starling_unblock_signal(host);
  return STARLING_STOPPED;
}

static int display(lua_State *L) {
  starling_tostring(L, 1);
  return 1;
}

// The type of the value at 1 as its author calls it (`__name`, Lua manual 5.4, luaL_tolstring),
// cut; the name may stay on the stack.
static const char *name_of_type(lua_State *L) {
  enum { LONGEST = 60 };
  if (luaL_getmetafield(L, 1, "__name") != LUA_TSTRING) return luaL_typename(L, 1);
  size_t length;
  const char *name = lua_tolstring(L, -1, &length);
  return length <= LONGEST ? name : lua_pushlstring(L, name, LONGEST);
}

static int describe(lua_State *L) {
  if (lua_isstring(L, 1) || luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) starling_tostring(L, 1);
  else lua_pushfstring(L, "(error object is a %s value)", name_of_type(L));
  return 1;
}

// Makes text of an error object, on top, while the call's deadline still runs: its __tostring may
// do anything.
static void make_text(lua_State *L) {
  int type = lua_type(L, -1);
  if (type == LUA_TSTRING) return;
  lua_pushcfunction(L, describe);
  lua_insert(L, -2);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) return;
  lua_pop(L, 1);
  host_of(L)->refusing = 0;  // no Lua code runs now
  lua_pushfstring(L, "(error object is a %s value)", lua_typename(L, type));  // [-0, +1, m]
}

// Names how lua_pcall ended and takes values away that are no message. The error is on top.
static int verdict(starling_host *host, lua_State *L, int status) {
  if (is_late(host)) {
    lua_pop(L, 1);
    return STARLING_STOPPED;
  }
  if (status == LUA_ERRMEM) {
    lua_pop(L, 1);
    return host->string_refused ? STARLING_STRING_LIMIT : STARLING_MEMORY;
  }
  return status == LUA_ERRSYNTAX ? STARLING_SYNTAX : STARLING_RUNTIME;
}

static int run(starling_host *host, lua_State *thread, int nargs, int nresults) {
  if (host->traces_returns) {
    host->return_line = 0;
    lua_sethook(thread, note_return, LUA_MASKRET, 0);
  }
  if (host->traces_changes) starling_hook_changes(host, thread);
  int status = is_late(host) ? LUA_ERRRUN : lua_pcall(thread, nargs, nresults, 1);
  if (host->traces_returns || host->traces_changes) lua_sethook(thread, NULL, 0, 0);
  // A stop that came with the last instruction: the call has ended, its results count.
  if (status == LUA_OK) return STARLING_OK;
  if (is_late(host)) lua_settop(thread, 2);
  if (status == LUA_ERRRUN && !is_late(host)) make_text(thread);
  return verdict(host, thread, status);
}

void starling_set_most_results(starling_host *host, int count) { host->most_results = count; }
int starling_results_left_out(const starling_host *host) { return host->results_left_out; }

// How many of the results the caller wants.
static int wanted_results(starling_host *host, int count) {
  if (host->depth > 0) return count;
  host->results_left_out = 0;
  if (host->most_results < 0 || count <= host->most_results) return count;
  host->results_left_out = count - host->most_results;
  return host->most_results;
}

// Moves what the call left above the message handler to L.
static int take_results(starling_host *host, lua_State *L, lua_State *thread, int status) {
  enum { MANY = 1000 };
  int given = lua_gettop(thread) - 1, count = given;
  if (status == STARLING_OK && given > 0) count = wanted_results(host, given);
  lua_settop(thread, count + 1);
  if (count > 0 && !lua_checkstack(L, count + LUA_MINSTACK)) {
    count = 0;
    status = STARLING_TOO_DEEP;
  }
  lua_xmove(thread, L, count);
  lua_settop(thread, 0);
  // The stack stays as large as it was asked to be for them, collections or not.
  if (given > MANY) lua_resetthread(thread);  // [-0, +?, -]
  lua_settop(thread, 0);
  return status;
}

int starling_call(starling_host *host, lua_State *L, int nargs, int nresults, uint64_t budget) {
  int base = lua_gettop(L) - nargs;
  int status = host->walking > 0 ? STARLING_WALKING : look(host);
  lua_State *thread = status == STARLING_OK ? call_thread(host, L) : NULL;
  if (status == STARLING_OK && thread == NULL) status = STARLING_MEMORY;
  if (status == STARLING_OK && !lua_checkstack(thread, nargs + LUA_MINSTACK))
    status = STARLING_TOO_DEEP;
  if (status != STARLING_OK) {
    lua_settop(L, base - 1);
    return status;
  }
  lua_pushcfunction(thread, message_handler);  // [-0, +1, -]
  lua_xmove(L, thread, nargs + 1);
  protected_call call;
  enter(host, budget, thread, &call);
  if (sigsetjmp(call.way_out, 0) != 0) return lose(host, &call);
  status = run(host, thread, nargs, nresults);
  leave(host, &call, thread);
  status = take_results(host, L, thread, status);
  bool is_clean = host->depth > 0 || !starling_has_changes(host);
  return is_clean ? status : starling_take_back(host, L, base, status);
}

// Goes through collections until `cycles` have come to their end, or until the clock says so.
static bool collect(lua_State *L, int cycles, uint64_t end) {
  enum { KILOBYTES = 256 };  // a step's work
  lua_gc(L, LUA_GCINC, 0, 0, 0);  // generations have no small steps
  while (cycles > 0) {
    if (lua_gc(L, LUA_GCSTEP, KILOBYTES)) cycles--;  // [-0, +0, -]: finalizers are ours
    else if (starling_clock() >= end) return false;
  }
  return true;
}

// `duration`: 0 for one full collection, however long it takes.
static bool run_collection(starling_host *host, uint64_t duration) {
  lua_State *L = starling_running(host);
  lua_State *thread = host->is_lost ? NULL : call_thread(host, L);
  if (thread == NULL) return false;
  // The call whose results are being read keeps its deadline.
  uint64_t deadline = atomic_load(&host->deadline);
  protected_call call;
  enter(host, 0, thread, &call);
  if (sigsetjmp(call.way_out, 0) != 0) {
    lose(host, &call);
    return false;
  }
  // The one that has begun may have passed by what is garbage since.
  bool is_whole = duration == 0 || collect(thread, 2, starling_clock() + duration);
  if (duration == 0) lua_gc(thread, LUA_GCCOLLECT);  // [-0, +0, -]: finalizers never raise
  leave(host, &call, thread);
  if (host->depth == 0) atomic_store(&host->deadline, deadline);
  return is_whole;
}

void starling_collect(starling_host *host) { run_collection(host, 0); }

bool starling_collect_for(starling_host *host, uint64_t nanoseconds) {
  return run_collection(host, nanoseconds > 0 ? nanoseconds : 1);
}

typedef struct {
  starling_host *host;
  const char *source;
  size_t left;
} reader_state;

// Hands the source out in pieces, so that a long compilation sees its deadline.
static const char *read_piece(lua_State *L, void *data, size_t *size) {
  enum { PIECE = 4096 };
  reader_state *reader = data;
  poll(L, reader->host);
  *size = reader->left < PIECE ? reader->left : PIECE;
  const char *piece = reader->source;
  reader->source += *size;
  reader->left -= *size;
  return *size == 0 ? NULL : piece;
}

int starling_load(starling_host *host, lua_State *L, const char *source, size_t length,
                  const char *name, uint64_t budget) {
  int status = look(host);
  if (host->walking > 0) status = STARLING_WALKING;
  lua_State *thread = status == STARLING_OK ? call_thread(host, L) : NULL;
  if (status != STARLING_OK) return status;
  if (thread == NULL) return STARLING_MEMORY;
  reader_state reader = {host, source, length};
  lua_pushnil(thread);  // where a call has its message handler
  protected_call call;
  enter(host, budget, thread, &call);
  if (sigsetjmp(call.way_out, 0) != 0) return lose(host, &call);
  status = lua_load(thread, read_piece, &reader, name, "t");  // [-0, +1, -]
  if (status != LUA_OK) status = verdict(host, thread, status);
  leave(host, &call, thread);
  return take_results(host, L, thread, status);
}

int starling_display(starling_host *host, lua_State *L, int index, uint64_t budget) {
  index = lua_absindex(L, index);
  lua_pushcfunction(L, display);
  lua_pushvalue(L, index);
  return starling_call(host, L, 1, 1, budget);
}

bool starling_is_lost(const starling_host *host) { return host->is_lost; }
int starling_call_depth(const starling_host *host) { return host->depth; }
void starling_trace_returns(starling_host *host, bool on) { host->traces_returns = on; }
const char *starling_return_source(const starling_host *host) { return host->return_source; }
int starling_return_line(const starling_host *host) { return host->return_line; }

bool starling_place_of(const starling_host *host, int what, starling_place *place) {
  if (what == STARLING_PLACE_OF_STOP && !host->stop_is_placed) return false;
  if (what == STARLING_PLACE_OF_REFUSAL && !host->refusal_is_placed) return false;
  const code_place *kept = what == STARLING_PLACE_OF_REFUSAL ? &host->refusal : &host->fault;
  place->source = kept->source;
  place->line = kept->line;
  place->traceback = kept->traceback;
  place->traceback_length = kept->traceback_length;
  return true;
}

void starling_reading_begin(starling_host *host) {
  host->reading++;
  host->read = 0;
}
void starling_reading_end(starling_host *host) { host->reading--; }
bool starling_count_text(lua_State *L, size_t bytes) {
  enum { SHARE = 32 };  // of the text's own place, in an array perhaps
  starling_host *host = host_of(L);
  if (host->depth == 0 && host->reading == 0) return true;  // whose is it?
  host->read += bytes + SHARE;
  return host->read <= host->limit / 2;
}

void starling_walk_begin(starling_host *host) { host->walking++; }
void starling_walk_end(starling_host *host) { host->walking--; }
