// Deadlines. One watchdog thread per process looks at the busy hosts; when a call is late it sets
// the host's flag and signals the thread that runs it, whose handler arms the hook on the coroutine
// that is running. Nothing is armed before, so that honest code pays nothing.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "internal.h"

enum { IDLE, BUSY, FIRING };
enum { DEFAULT_SIGNAL = SIGURG };  // ignored unless somebody asks for it
static const uint64_t TICK = 10000000;        // 10 ms
static const uint64_t LATE_TICK = 2000000;    // 2 ms, while a call is late
static const int QUIET_TICKS = 50;            // then the watchdog sleeps until a call wakes it

// The process-wide state: the watchdog, the handlers it replaced, and which host a thread runs.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  starling_host *hosts;
  bool running;
  atomic_bool asleep;
  struct sigaction earlier[NSIG];
  bool installed[NSIG];
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Why thread-local: a signal may arrive after the call that it was sent for has ended; its handler
// must find the host of its own thread, or none.
static _Thread_local starling_host *volatile busy;
static _Thread_local int unblocked_signal;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Runs before every instruction, call and return once armed.
static void hook(lua_State *L, lua_Debug *event) {
  (void)event;
  starling_host *host = host_of(L);
  if (is_late(host)) starling_raise_stop(L);
  lua_sethook(L, NULL, 0, 0);  // a coroutine left armed by an earlier stop
}

// To set a hook goes through all frames of L, which may be a third of a million: what is armed is
// left alone for some ticks, or it would get nothing done.
static void arm(starling_host *host) {
  enum { TICKS = 8 };
  lua_State *L = atomic_load(&host->running);
  if (L == NULL || (lua_gethook(L) == hook && ++host->late_ticks % TICKS != 0)) return;
  starling_arm(host, L, hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT);
}

static void handle_signal(int signal, siginfo_t *info, void *context) {
  int saved = errno;
  for (starling_host *host = busy; host != NULL; host = host->outer)
    if (is_late(host)) arm(host);
  const struct sigaction *earlier = &watch.earlier[signal];
  if (earlier->sa_flags & SA_SIGINFO) {
    if (earlier->sa_sigaction != NULL) earlier->sa_sigaction(signal, info, context);
  } else if (earlier->sa_handler != SIG_DFL && earlier->sa_handler != SIG_IGN) {
    earlier->sa_handler(signal);
  }
  errno = saved;
  starling_host *host = busy;
  if (host != NULL && is_late(host) && starling_may_escape(host, context)) starling_escape(host);
}

// Under the lock.
static void install(int signal) {
  if (watch.installed[signal]) return;
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  action.sa_sigaction = handle_signal;
  sigemptyset(&action.sa_mask);
  sigaction(signal, NULL, &watch.earlier[signal]);  // before ours can run
  sigaction(signal, &action, NULL);
  watch.installed[signal] = true;
}

static int reason_to_stop(starling_host *host, uint64_t time) {
  starling_interrupt *flag = atomic_load(&host->interrupt);
  if (flag != NULL && atomic_load(&flag->raised)) return STARLING_STOP_INTERRUPT;
  if (time >= atomic_load(&host->deadline)) return STARLING_STOP_TIME;
  return STARLING_STOP_NONE;
}

// Under the lock. FIRING holds the call's end off, so that its thread exists.
static void look_at(starling_host *host, uint64_t time) {
  int expected = BUSY;
  if (!atomic_compare_exchange_strong(&host->phase, &expected, FIRING)) return;
  int reason = reason_to_stop(host, time);
  if (reason != STARLING_STOP_NONE) {
    int none = STARLING_STOP_NONE;
    atomic_compare_exchange_strong(&host->late, &none, reason);
    // Again at every tick until it ends: the handler may have armed a coroutine that was just left.
    pthread_kill(host->thread, host->signal);
  }
  atomic_store(&host->phase, BUSY);
}

static uint64_t look_at_all(uint64_t time, bool *any) {
  uint64_t next = time + TICK;
  *any = false;
  for (starling_host *host = watch.hosts; host != NULL; host = host->next) {
    if (atomic_load(&host->phase) == IDLE) continue;
    *any = true;
    look_at(host, time);
    uint64_t deadline = atomic_load(&host->deadline);
    if (deadline > time && deadline < next) next = deadline;
    if (is_late(host) && time + LATE_TICK < next) next = time + LATE_TICK;
  }
  return next;
}

static void wait_until(uint64_t time) {
  struct timespec until = {.tv_sec = (time_t)(time / 1000000000u),
                           .tv_nsec = (long)(time % 1000000000u)};
  pthread_cond_timedwait(&watch.wake, &watch.lock, &until);
}

static void *run_watchdog(void *unused) {
  (void)unused;
  int quiet = 0;
  pthread_mutex_lock(&watch.lock);
  for (;;) {
    bool any;
    uint64_t next = look_at_all(now(), &any);
    quiet = any ? 0 : quiet + 1;
    if (quiet > QUIET_TICKS) {
      // Said before the last look, so that a call that begins now is seen by it or wakes us.
      atomic_store(&watch.asleep, true);
      look_at_all(now(), &any);
      if (!any) pthread_cond_wait(&watch.wake, &watch.lock);
      atomic_store(&watch.asleep, false);
      quiet = 0;
    } else {
      wait_until(next);
    }
  }
  return NULL;
}

// Under the lock.
static void start_watchdog(void) {
  if (watch.running) return;
  starling_find_lua_code();
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&watch.wake, &clock);
  pthread_condattr_destroy(&clock);
  sigset_t all, earlier;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &earlier);  // signals of the process are not for this thread
  pthread_t thread;
  watch.running = pthread_create(&thread, NULL, run_watchdog, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &earlier, NULL);
  if (watch.running) pthread_detach(thread);
}

void starling_register(starling_host *host) {
  if (host->signal <= 0 || host->signal >= NSIG) host->signal = DEFAULT_SIGNAL;
  pthread_mutex_lock(&watch.lock);
  install(host->signal);
  start_watchdog();
  host->next = watch.hosts;
  if (host->next != NULL) host->next->previous = host;
  watch.hosts = host;
  pthread_mutex_unlock(&watch.lock);
}

void starling_unregister(starling_host *host) {
  pthread_mutex_lock(&watch.lock);
  if (host->previous != NULL) host->previous->next = host->next;
  else watch.hosts = host->next;
  if (host->next != NULL) host->next->previous = host->previous;
  pthread_mutex_unlock(&watch.lock);
}

// Dispatch's threads block every signal.
static void unblock(int signal) {
  if (unblocked_signal == signal) return;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  unblocked_signal = signal;
}

static uint64_t deadline_after(const starling_host *host, uint64_t budget) {
  uint64_t deadline = budget == 0 || budget > UINT64_MAX - host->started
                          ? UINT64_MAX
                          : host->started + budget;
  if (host->outer == NULL) return deadline;
  uint64_t outer = atomic_load(&host->outer->deadline);
  return outer < deadline ? outer : deadline;
}

// The stamp of an outermost call.
void starling_begin(starling_host *host, uint64_t budget) {
  unblock(host->signal);
  host->started = now();
  host->thread = pthread_self();
  host->outer = busy;
  host->armed_at = 0;
  host->stop_is_placed = host->refusal_is_placed = false;
  atomic_store(&host->deadline, deadline_after(host, budget));
  atomic_store(&host->late, reason_to_stop(host, host->started));
  atomic_signal_fence(memory_order_seq_cst);
  busy = host;
  atomic_store(&host->phase, BUSY);
  if (atomic_load(&watch.asleep)) {
    pthread_mutex_lock(&watch.lock);
    pthread_cond_signal(&watch.wake);
    pthread_mutex_unlock(&watch.lock);
  }
}

void starling_end(starling_host *host) {
  int expected = BUSY;
  while (!atomic_compare_exchange_weak(&host->phase, &expected, IDLE)) expected = BUSY;
  busy = host->outer;
  atomic_signal_fence(memory_order_seq_cst);
  host->outer = NULL;
  host->time_used += now() - host->started;
}

// A jump out of the handler leaves the signal blocked.
void starling_unblock_signal(const starling_host *host) {
  unblocked_signal = 0;
  unblock(host->signal);
}

int starling_last_stop(const starling_host *host) { return atomic_load(&host->late); }

int starling_poll(starling_host *host) {
  // An earlier call's stop is over.
  if (host->depth == 0 && host->reading == 0) return STARLING_STOP_NONE;
  if (!is_late(host)) {
    int none = STARLING_STOP_NONE;
    int reason = reason_to_stop(host, now());
    if (reason != none) atomic_compare_exchange_strong(&host->late, &none, reason);
  }
  return atomic_load(&host->late);
}

int starling_step(starling_host *host) {
  enum { STEPS = 128 };
  if (__builtin_expect(++host->steps % STEPS != 0 && !is_over(host), 1)) return STARLING_OK;
  bool is_full = starling_over_memory(host);
  if (starling_poll(host) != STARLING_STOP_NONE) return STARLING_STOPPED;
  return is_full ? STARLING_MEMORY : STARLING_OK;
}

uint64_t starling_time_left(const starling_host *host) {
  uint64_t deadline = atomic_load(&host->deadline), time = now();
  if (deadline == UINT64_MAX) return UINT64_MAX;
  return deadline > time ? deadline - time : 0;
}

uint64_t starling_time_used(const starling_host *host) {
  return host->time_used + (host->depth > 0 ? now() - host->started : 0);
}

void starling_extend(starling_host *host, uint64_t nanoseconds) {
  uint64_t deadline = atomic_load(&host->deadline);
  if (deadline < UINT64_MAX - nanoseconds) atomic_store(&host->deadline, deadline + nanoseconds);
}

uint64_t starling_clock(void) { return now(); }

// The stop is a sentinel that no Lua code gets to see: every function of ours that catches errors
// raises it again while the state is late.
_Noreturn void starling_raise_stop(lua_State *L) {
  starling_host *host = host_of(L);
  if (host->is_lost) starling_escape(host);  // a call inside of this one lost the state
  if (!host->stop_is_placed) {
    host->stop_is_placed = true;
    starling_record(L, &host->fault, 0);
  }
  lua_pushlightuserdata(L, host);  // [-0, +1, -]
  lua_error(L);
  abort();
}

starling_interrupt *starling_interrupt_new(void) {
  starling_interrupt *flag = malloc(sizeof *flag);
  if (flag == NULL) abort();
  atomic_init(&flag->count, 1);
  atomic_init(&flag->raised, 0);
  return flag;
}

void starling_interrupt_retain(starling_interrupt *flag) { atomic_fetch_add(&flag->count, 1); }

void starling_interrupt_release(starling_interrupt *flag) {
  if (flag != NULL && atomic_fetch_sub(&flag->count, 1) == 1) free(flag);
}

void starling_interrupt_raise(starling_interrupt *flag) { atomic_store(&flag->raised, 1); }
void starling_interrupt_clear(starling_interrupt *flag) { atomic_store(&flag->raised, 0); }

bool starling_interrupt_is_raised(const starling_interrupt *flag) {
  return atomic_load(&flag->raised) != 0;
}

// Only between calls: the watchdog reads the flag of busy hosts alone, under its lock.
void starling_set_interrupt(starling_host *host, starling_interrupt *flag) {
  if (flag != NULL) starling_interrupt_retain(flag);
  pthread_mutex_lock(&watch.lock);
  starling_interrupt *old = atomic_exchange(&host->interrupt, flag);
  pthread_mutex_unlock(&watch.lock);
  starling_interrupt_release(old);
}
