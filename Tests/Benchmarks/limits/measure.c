/* Runs a program and says what it cost: `measure [-n COUNT] RESULT PROGRAM ARGUMENT...`.
   RESULT gets one line: CPU microseconds (user and system), wall microseconds, peak resident KB,
   exit status. With -n the program is run COUNT times; times are then of one run, on average. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double microseconds(struct timeval time) {
  return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
  long count = 1;
  if (argc > 2 && strcmp(argv[1], "-n") == 0) {
    count = strtol(argv[2], NULL, 10);
    argc -= 2, argv += 2;
  }
  if (argc < 3 || count < 1) {
    fputs("usage: measure [-n COUNT] RESULT PROGRAM ARGUMENT...\n", stderr);
    return 2;
  }
  double cpu = 0, before = wall();
  long peak = 0;
  int status = 0;
  for (long i = 0; i < count && status == 0; i++) {
    pid_t child;
    struct rusage usage;
    if (posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ) != 0) {
      perror(argv[2]);
      return 127;
    }
    if (wait4(child, &status, 0, &usage) < 0) return 127;
    cpu += microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
    if (usage.ru_maxrss > peak) peak = usage.ru_maxrss;
  }
  double elapsed = wall() - before;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  FILE *result = fopen(argv[1], "w");
  if (!result) {
    perror(argv[1]);
    return 127;
  }
  fprintf(result, "%.1f %.1f %ld %d\n", cpu / (double)count, elapsed / (double)count, peak, code);
  fclose(result);
  return code;
}
