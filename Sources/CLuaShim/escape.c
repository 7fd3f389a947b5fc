// The last resort against C code of Lua that runs on past the deadline where no hook fires: one
// collection of a large heap, the rehash of a large table, a comparison of long strings.
//
// Some milliseconds after the hook was armed in vain, the signal handler leaves that code by a jump
// to the innermost protected call. The state is lost then: its heap is in no order. No Lua code
// runs in it again, it is not collected, and closing it gives its memory back at one stroke. What
// makes the jump sound:
// - It leaves code of liblua alone: the interrupted instruction lies there, and above it are only
//   frames of Lua and of this module. No lock of the C library is held.
// - Swift frames are never between: Lua runs only under a protected call of its own, and while
//   Swift runs (`refusing` is 0) nothing jumps.
// - Each protected call runs on a thread of its own, so that the one that Swift works on is whole.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include "internal.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIGNALS_COME_LATE 1  // it keeps them back, with the context of another place
#endif
#endif

// Processor time that a call may go on after its hook was armed; where the hook has met it, so that it is
// on its way out; and where it gives frames back: there are a third of a million at most, far apart in
// memory, which go one by one when an error ends a deep recursion.
static const uint64_t GRACE_TIME = 20000000, GRACE_WAY_OUT = 42000000, GRACE_FRAMES = 150000000,
                      GRACE_INTERRUPT = 400000000;
// Processor time after which it is looked at whether there was any progress.
static const uint64_t LOOK = 1000000;

// Where the code of liblua is; empty when it cannot be told from ours.
static struct {
  uintptr_t start, end;
} lua_code;

static int find_code(struct dl_phdr_info *object, size_t size, void *wanted) {
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    if ((uintptr_t)wanted < start || (uintptr_t)wanted >= end) continue;
    bool is_ours = (uintptr_t)find_code >= start && (uintptr_t)find_code < end;
    if (!is_ours) {
      lua_code.start = start;
      lua_code.end = end;
    }
    return 1;
  }
  return 0;
}

void starling_find_lua_code(void) {
#ifndef SIGNALS_COME_LATE
  dl_iterate_phdr(find_code, (void *)lua_newstate);
#endif
}

static uintptr_t interrupted_place(const void *context) {
  const ucontext_t *machine = context;
  if (machine == NULL) return 0;
#if defined(__x86_64__)
  return (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)machine->uc_mcontext.pc;
#else
  return 0;
#endif
}

static uint64_t processor_time(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void starling_arm(starling_host *host, lua_State *L, lua_Hook hook, int mask) {
  uint64_t begin = processor_time();
  lua_sethook(L, hook, mask, 1);  // [-0, +0, -]
  // It goes through all frames, which is not the call's doing.
  if (host->armed_at != 0) host->armed_at += processor_time() - begin;
}

// Processor time counts, so that a thread that was only kept waiting is not lost.
static bool is_overdue(starling_host *host) {
  uint64_t time = processor_time();
  if (host->armed_at == 0) host->armed_at = host->looked_at = time;
  if (time - host->looked_at < LOOK) return false;
  bool gives = host->frames_given != host->frames_seen;
  host->looked_at = time;
  host->frames_seen = host->frames_given;
  if (atomic_load(&host->late) != STARLING_STOP_TIME)
    return time - host->armed_at > GRACE_INTERRUPT;
  uint64_t grace = gives ? GRACE_FRAMES : host->stop_is_placed ? GRACE_WAY_OUT : GRACE_TIME;
  return time - host->armed_at > grace;
}

bool starling_may_escape(starling_host *host, const void *context) {
  if (host->escape == NULL || !host->refusing || !is_overdue(host)) return false;
  uintptr_t place = interrupted_place(context);
  return place >= lua_code.start && place < lua_code.end;
}

_Noreturn void starling_escape(starling_host *host) { siglongjmp(*host->escape, 1); }

// After the jump.
void starling_lose(starling_host *host) {
  if (host->is_lost) return;
  host->is_lost = true;
  lua_gc(host->L, LUA_GCSTOP);  // [-0, +0, -]
}
