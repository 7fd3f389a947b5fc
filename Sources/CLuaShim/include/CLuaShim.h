#ifndef STARLING_CLUASHIM_H
#define STARLING_CLUASHIM_H

// The C of the Lua boundary: what Swift cannot do, because it may longjmp, runs inside a signal
// handler, or must be interruptible inside a library function.
//
// Rules that hold for every function here:
// - Swift calls it only while the allocator does not refuse, unless the comment says "protected".
// - A Lua error never leaves a function that Swift calls.
// Tags as in Lua manual 5.4, 4.6.

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One per Lua state; owned by the state's Swift object, freed by starling_close.
typedef struct starling_host starling_host;
// A flag that other threads and signal handlers may raise; counted references.
typedef struct starling_interrupt starling_interrupt;

// What a Swift callback answers: a count of results on top of the stack, or one of these.
enum {
  STARLING_RAISE = -1,        // the message on top, with the caller's position put before it
  STARLING_RAISE_PLAIN = -2,  // the value on top as it is
  STARLING_RAISE_MEMORY = -3,
  STARLING_RAISE_STOP = -4,
};

// Of how many arguments C knows the plain types, and the masks that stand for a text.
enum {
  STARLING_PLAIN_ARGUMENTS = 4,
  STARLING_PLAIN_STRING = 1 << (LUA_TSTRING + 1),
  STARLING_PLAIN_TEXT = 1 << 15,  // a string, or a number, which becomes its digits
  STARLING_TEXTS = 2,
};

typedef struct starling_text {
  const char *bytes;  // NULL: not read as a text
  size_t length;
} starling_text;

// What C has seen of a call's arguments: the first as texts, and whether one is not plain.
typedef struct starling_arguments {
  starling_text text[STARLING_TEXTS];
  int unusual;
} starling_arguments;

// Runs a host function; must return normally.
typedef int (*starling_dispatch)(void *function, lua_State *L, const starling_arguments *arguments);

// Which library a state gets.
enum { STARLING_PLUGIN = 0, STARLING_RULES = 1, STARLING_SCRIPT = 2 };
// How strict global variables are.
enum { STARLING_GLOBALS_OPEN = 0, STARLING_GLOBALS_TOP_LEVEL = 1, STARLING_GLOBALS_CLOSED = 2 };

typedef struct {
  starling_dispatch dispatch;
  size_t memory_limit;  // bytes
  size_t string_limit;  // bytes
  int library;
  int globals;
  int signal;             // sent to the thread whose call is late; 0 for the default
  long fail_allocation;  // tests: the n-th allocation while Lua code runs fails; 0 for none
  bool has_seed;          // whether math.random begins with this and randomseed() takes it
  int64_t seed;
} starling_options;

// How a protected call ended.
enum {
  STARLING_OK = 0,
  STARLING_RUNTIME = 1,       // the error as text is on top of the stack
  STARLING_SYNTAX = 2,        // the message is on top of the stack
  STARLING_MEMORY = 3,        // nothing on the stack
  STARLING_STRING_LIMIT = 4,  // nothing on the stack: a string would pass the limit
  STARLING_STOPPED = 5,       // nothing on the stack: starling_last_stop tells why
  STARLING_TOO_DEEP = 6,      // nothing on the stack: no C stack left
  STARLING_WALKING = 7,       // nothing on the stack: a table is being read
  STARLING_LOST = 8,          // nothing on the stack: an earlier stop left the state unusable
  STARLING_CHANGED = 9,       // the name of a sealed table's field, which was set, is on the stack
};

// What the host calls a chunk of its own. Errors are placed where a script called it.
#define STARLING_HOST_CHUNK "[Starling]"

// Why a state stops.
enum { STARLING_STOP_NONE = 0, STARLING_STOP_TIME = 1, STARLING_STOP_INTERRUPT = 2 };

// state.c
starling_host *starling_open(const starling_options *options);  // NULL: out of memory
void starling_close(starling_host *host);
lua_State *starling_running(const starling_host *host);
starling_host *starling_host_of(lua_State *L);

// allocator.c
size_t starling_memory_used(const starling_host *host);
size_t starling_memory_peak(const starling_host *host);
void starling_reset_peak(starling_host *host);
size_t starling_memory_limit(const starling_host *host);
// What is left within the limit and the reserve.
size_t starling_room(const starling_host *host);
// Whether so much more can be taken within the limit; runs a full collection before it says no. For
// what the host makes at one stroke: the allocator does not refuse it. [-0, +0, -]
bool starling_has_room(starling_host *host, size_t bytes);
// Lets the state have so much beyond its limit, in place of what it was let have before.
void starling_set_reserve(starling_host *host, size_t bytes);
// Counts memory that the host holds for the script.
void starling_charge(starling_host *host, size_t bytes);
void starling_discharge(starling_host *host, size_t bytes);
// Whether the limit is passed; runs a full collection before it says yes. [-0, +0, -]
bool starling_over_memory(starling_host *host);
// Collects for about so many nanoseconds at most. True: one collection was made from its beginning to
// its end, which also makes large stacks that are not in use smaller. [-0, +0, -]
bool starling_collect_for(starling_host *host, uint64_t nanoseconds);
// Fails the n-th allocation from now while Lua code runs; 0 for none.
void starling_fail_allocation(starling_host *host, long n);

// interrupt.c
starling_interrupt *starling_interrupt_new(void);
void starling_interrupt_retain(starling_interrupt *flag);
void starling_interrupt_release(starling_interrupt *flag);
void starling_interrupt_raise(starling_interrupt *flag);  // async-signal-safe
void starling_interrupt_clear(starling_interrupt *flag);
bool starling_interrupt_is_raised(const starling_interrupt *flag);
void starling_set_interrupt(starling_host *host, starling_interrupt *flag);
int starling_last_stop(const starling_host *host);  // of the last call that was stopped
// Whether the running call must stop, reading the clock too; for loops of the host.
int starling_poll(starling_host *host);
// Counts one step of a host function's work; looks at the memory, and every so often at the time.
// STARLING_OK, STARLING_MEMORY or STARLING_STOPPED.
int starling_step(starling_host *host);
// Nanoseconds until the running call's deadline; UINT64_MAX without one.
uint64_t starling_time_left(const starling_host *host);
uint64_t starling_time_used(const starling_host *host);
// Nanoseconds of the clock that deadlines count by.
uint64_t starling_clock(void);
// Puts the running call's deadline off while a person is asked, say.
void starling_extend(starling_host *host, uint64_t nanoseconds);

// protect.c: all protected. `budget` is nanoseconds (0: none) and counts for the outermost call.
// [-(nargs + 1), +results|1]
int starling_call(starling_host *host, lua_State *L, int nargs, int nresults, uint64_t budget);
// Of the next outermost call so many results are given at most; -1: all. How many it gave beyond.
void starling_set_most_results(starling_host *host, int count);
int starling_results_left_out(const starling_host *host);
// Compiles text only, in pieces that watch the deadline. [-0, +1]
int starling_load(starling_host *host, lua_State *L, const char *source, size_t length,
                  const char *name, uint64_t budget);
// Turns the value at `index` into text as tostring does. [-0, +1]
int starling_display(starling_host *host, lua_State *L, int index, uint64_t budget);
// Whether a stop had to leave Lua in the middle of something: no Lua code can run any more, and the
// state is good for closing only.
bool starling_is_lost(const starling_host *host);
int starling_call_depth(const starling_host *host);
// Of the last runtime error; of what the last outermost call met, a stop or the last refusal of
// memory.
enum { STARLING_PLACE_OF_FAULT = 0, STARLING_PLACE_OF_STOP = 1, STARLING_PLACE_OF_REFUSAL = 2 };
typedef struct {
  const char *source;
  int line;  // 0: in no Lua function
  const char *traceback;
  size_t traceback_length;
} starling_place;
// Where that arose, in buffers that live until the next one; false when it is not known.
bool starling_place_of(const starling_host *host, int what, starling_place *place);
// Keeps where the last call's Lua function returned, for authors: it makes Lua several times slower.
void starling_trace_returns(starling_host *host, bool on);
const char *starling_return_source(const starling_host *host);
int starling_return_line(const starling_host *host);  // 0: nowhere
// Around the reading of a call's results, which counts in its time.
void starling_reading_begin(starling_host *host);
void starling_reading_end(starling_host *host);
// Counts a text that is copied out of Lua. A table may hold one string a million times, so that the
// copies are not bounded by what Lua holds. False: one host function, or one reader of results, has
// copied more than half of the state's memory.
bool starling_count_text(lua_State *L, size_t bytes);
// A function that calls its first argument with the others, in which no coroutine can yield.
void starling_push_whole_call(lua_State *L);  // [-0, +1, -]
void starling_walk_begin(starling_host *host);
void starling_walk_end(starling_host *host);

// library.c
// math.random begins with this, and math.randomseed() takes it. [-0, +0, m]
void starling_reseed(starling_host *host, int64_t seed);

// seal.c
// Seals the globals and every table in them: code that is loaded from now on reads them and cannot
// change them. No global of the host's can be set after it. False: out of memory. [-0, +0, -]
bool starling_seal_library(starling_host *host);
// Exchanges the table on top for a sealed one with the same fields, in the place of the one that was
// sealed so before. Names in messages begin with `prefix`. False: an error is on top. [-1, +1, -]
bool starling_seal_table(lua_State *L, const char *prefix);
// Keeps for each call on which line it set a field of a sealed table, where starling_return_line tells
// it; it makes Lua many times slower.
void starling_trace_changes(starling_host *host, bool on);

// trampoline.c
// Numbers a host function; the pointer must live as long as the state. -1: out of memory. plain[i] has
// bit t + 1 when argument i + 1 needs no look by Swift if its Lua type is t. Of the first two
// arguments that it has bits for, a string is read as a text, and so are leading texts.
int starling_add_function(starling_host *host, void *function, const uint16_t *plain, int count);
// Pushes host function number `function`. [-0, +1, m]
void starling_push_function(lua_State *L, int function);

// values.c
// Registers key text and gives its number. [-0, +0, m]
int starling_intern(lua_State *L, const char *text, size_t length);
void starling_push_key(lua_State *L, int key);                   // [-0, +1, -]
int starling_push_field(lua_State *L, int index, int key);       // [-0, +1, -] raw; its type
void starling_set_bytes(lua_State *L, int table, int key, const char *bytes, size_t length);  // [-0, +0, m]
void starling_set_integer(lua_State *L, int table, int key, lua_Integer value);
void starling_set_number(lua_State *L, int table, int key, lua_Number value);
void starling_set_boolean(lua_State *L, int table, int key, int value);
void starling_set_key(lua_State *L, int table, int key, int text);  // a text that is a key
void starling_set_null(lua_State *L, int table, int key);
void starling_push_null(lua_State *L);  // [-0, +1, -]
bool starling_is_null(lua_State *L, int index);
void starling_mark_array(lua_State *L);  // the table on top is an empty array [-0, +0, m]
bool starling_is_marked_array(lua_State *L, int index);
int starling_new_reference(lua_State *L);  // [-1, +0, m]
void starling_push_reference(lua_State *L, int reference);
void starling_drop_reference(starling_host *host, int reference);
bool starling_next(lua_State *L, int table);  // lua_next; see the note there
// The global table's field at a dotted path, tables made on the way, takes the value on top.
void starling_set_path(lua_State *L, const char *path, size_t length);  // [-1, +0, m]
// Removes `count` values from `first` on and keeps what was pushed above them. [-count, +0, -]
void starling_cut(lua_State *L, int first, int count);
// Takes the value of a pair at `key` away, moves what was pushed above it below the key, and gives
// the key's new place.
int starling_step_over(lua_State *L, int key);
void starling_pop(lua_State *L, int top);  // lua_settop; no to-be-closed slot on our frames
bool starling_push_global(lua_State *L, const char *path, size_t length);  // raw [-0, +1, m]
// The table in which code defines its own globals. [-0, +1, -]
void starling_push_user_globals(lua_State *L);

// objects.c
enum { STARLING_NO_OBJECT = 0, STARLING_VIEW = 1, STARLING_OBJECT = 2 };
typedef struct {
  uint32_t form;  // STARLING_VIEW, STARLING_OBJECT
  uint32_t slot;
  uint32_t generation;
  uint32_t type;
  int64_t node;
} starling_object;
// Pushes a read-only view of a host document. [-0, +1, m]
void starling_push_view(lua_State *L, uint32_t slot, uint32_t generation, int64_t node);
// Gives views their host functions; `step` turns (view, cursor) into (next cursor, key, value) or
// nothing. [-0, +0, m]
void starling_make_view_type(starling_host *host, int index, int length, int step, int next);
// `index` and the others are host functions, or -1. [-0, +0, m]
int starling_make_object_type(starling_host *host, const char *name, size_t length, int index,
                              int newindex, int len, int pairs, int call);
void starling_push_object(lua_State *L, int type, uint32_t slot, uint32_t generation);
// The object at `index`, when it is one of ours. [-0, +0, -]
bool starling_to_object(lua_State *L, int index, starling_object *object);
// Takes one released slot from the queue. [-0, +0, -]
bool starling_take_released(starling_host *host, uint32_t *slot);

// The line of the innermost Lua function that runs; 0 without one. [-0, +0, -]
int starling_caller_line(const starling_host *host);
enum { STARLING_SOURCE_SIZE = 1024 };
// The chunk, in so many bytes, with the first and last line of a Lua function; false for a function
// of the host. [-0, +0, -]
bool starling_function_lines(const starling_host *host, int reference, char *source, int *first,
                             int *last);

#endif
