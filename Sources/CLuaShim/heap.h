#ifndef STARLING_HEAP_H
#define STARLING_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Size classes: 16 bytes apart up to 256, then four to a doubling up to 32 KB.
enum { HEAP_FINE = 16, HEAP_CLASSES = HEAP_FINE + 4 * 7, HEAP_LARGEST = 32 << 10 };

typedef struct heap_block heap_block;
typedef struct heap_page heap_page;
typedef struct heap_chunk heap_chunk;
typedef struct heap_run heap_run;

// The memory of one Lua state, from the kernel by itself: what a state holds is known to the page,
// whatever sizes a script asks for and in whatever order it lets go, and all of it goes back at one
// stroke, whatever condition the state is in.
typedef struct {
  heap_page *open[HEAP_CLASSES];  // pages with room, by class
  heap_page *idle;                // pages of no class
  heap_chunk *chunks;
  heap_run *runs, *kept;          // blocks above HEAP_LARGEST; freed ones that are used again
  size_t idle_count, kept_bytes;
  size_t used;      // bytes of blocks, as their classes have them
  size_t resident;  // bytes that the kernel may have given memory for
  size_t ceiling;   // for `resident`
} heap;

// NULL: no memory, or, when `bounded`, none below the ceiling.
void *heap_allocate(heap *h, size_t size, bool bounded);
// May move the block; NULL leaves it as it is.
void *heap_reallocate(heap *h, void *block, size_t old_size, size_t new_size, bool bounded);
void heap_free(heap *h, void *block, size_t size);
// Gives everything back.
void heap_destroy(heap *h);
// How many bytes a block of this size takes.
size_t heap_size(size_t size);

#endif
