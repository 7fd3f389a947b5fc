// Memory for one Lua state: pages of blocks of one size in chunks of 4 MB, and runs of their own for
// what is larger than 32 KB.
#define _GNU_SOURCE
#include "heap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EVERY_BLOCK_BY_MALLOC 1  // so that the sanitizer sees each block
#endif
#endif
#ifndef EVERY_BLOCK_BY_MALLOC
#define EVERY_BLOCK_BY_MALLOC 0
#endif

#define UNLIKELY(x) __builtin_expect((x) != 0, 0)

static const size_t CHUNK = 4u << 20, PAGE = 64u << 10, KERNEL_PAGE = 4096;
enum { PAGES = 64 };                      // the first holds the chunk's own data
enum { CARVED_AT_ONCE = 2048 };           // bytes of blocks made of a page when there are none
enum { IDLE_KEPT = 2 * PAGES };           // idle pages beyond which an empty chunk goes back
static const size_t KEPT_LIMIT = 8u << 20;  // bytes of freed runs

struct heap_block {
  heap_block *next;
};

struct heap_page {
  heap_block *free;
  heap_page *next, *previous;  // among the open ones of its class, or the idle ones
  uint32_t size;               // of its blocks
  uint32_t used;               // blocks that are
  uint32_t carved;             // bytes that have been made blocks
  uint32_t touched;            // bytes that the kernel may have given memory for
  uint8_t class;
  bool is_open;
};

struct heap_chunk {
  heap_chunk *next, *previous;
  unsigned pages_used;
  heap_page pages[PAGES];
};

// Before a large block.
struct heap_run {
  heap_run *next, *previous;
  size_t length;  // with this header
  size_t padding;
};

static inline unsigned class_of(size_t size) {
  if (size <= 16 * HEAP_FINE) return (unsigned)((size + 15) / 16) - 1;
  unsigned doubling = 63 - (unsigned)__builtin_clzll(size - 1);  // 8 for 257...512
  return HEAP_FINE + (doubling - 8) * 4 + (unsigned)((size - 1) >> (doubling - 2) & 3);
}

static size_t class_size(unsigned class) {
  if (class < HEAP_FINE) return ((size_t)class + 1) * 16;
  unsigned doubling = 8 + (class - HEAP_FINE) / 4, quarter = (class - HEAP_FINE) % 4;
  return ((size_t)1 << doubling) + ((size_t)(quarter + 1) << (doubling - 2));
}

static inline bool is_small(size_t size) { return !EVERY_BLOCK_BY_MALLOC && size <= HEAP_LARGEST; }

static size_t run_length(size_t size) {
  size_t length = size + sizeof(heap_run);
  if (EVERY_BLOCK_BY_MALLOC) return length;
  return (length + KERNEL_PAGE - 1) & ~(KERNEL_PAGE - 1);
}

size_t heap_size(size_t size) {
  return is_small(size) ? class_size(class_of(size)) : run_length(size);
}

// MARK: Lists

static void push_page(heap_page **list, heap_page *page) {
  page->next = *list;
  page->previous = NULL;
  if (*list != NULL) (*list)->previous = page;
  *list = page;
}

static void unlink_page(heap_page **list, heap_page *page) {
  if (page->previous != NULL) page->previous->next = page->next;
  else *list = page->next;
  if (page->next != NULL) page->next->previous = page->previous;
}

static void push_run(heap_run **list, heap_run *run) {
  run->next = *list;
  run->previous = NULL;
  if (*list != NULL) (*list)->previous = run;
  *list = run;
}

static void unlink_run(heap_run **list, heap_run *run) {
  if (run->previous != NULL) run->previous->next = run->next;
  else *list = run->next;
  if (run->next != NULL) run->next->previous = run->previous;
}

// MARK: The kernel

static void *map(size_t length) {
  if (EVERY_BLOCK_BY_MALLOC) return malloc(length);
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(void *memory, size_t length) {
  if (EVERY_BLOCK_BY_MALLOC) free(memory);
  else munmap(memory, length);
}

static void *remap(void *memory, size_t old_length, size_t new_length) {
  if (EVERY_BLOCK_BY_MALLOC) return realloc(memory, new_length);
#ifdef __linux__
  void *moved = mremap(memory, old_length, new_length, MREMAP_MAYMOVE);
  return moved == MAP_FAILED ? NULL : moved;
#else
  void *moved = map(new_length);
  if (moved == NULL) return NULL;
  memcpy(moved, memory, old_length < new_length ? old_length : new_length);
  unmap(memory, old_length);
  return moved;
#endif
}

// A chunk that begins at a multiple of its size, so that a block tells its page.
static heap_chunk *map_chunk(bool is_first) {
  char *memory = map(2 * CHUNK);
  if (memory == NULL) return NULL;
  char *start = (char *)(((uintptr_t)memory + CHUNK - 1) & ~(uintptr_t)(CHUNK - 1));
  if (start > memory) munmap(memory, (size_t)(start - memory));
  if (start < memory + CHUNK) munmap(start + CHUNK, (size_t)(memory + CHUNK - start));
#ifdef MADV_NOHUGEPAGE
  if (is_first) madvise(start, CHUNK, MADV_NOHUGEPAGE);  // a small state stays small
#endif
  return (heap_chunk *)start;
}

// MARK: Pages

static inline heap_chunk *chunk_of(const void *block) {
  return (heap_chunk *)((uintptr_t)block & ~(uintptr_t)(CHUNK - 1));
}

static inline heap_page *page_of(const void *block) {
  return &chunk_of(block)->pages[((uintptr_t)block & (CHUNK - 1)) / PAGE];
}

static char *page_start(heap_page *page) {
  heap_chunk *chunk = chunk_of(page);
  return (char *)chunk + (size_t)(page - chunk->pages) * PAGE;
}

static bool add_chunk(heap *h) {
  heap_chunk *chunk = map_chunk(h->chunks == NULL);
  if (chunk == NULL) return false;
  chunk->next = h->chunks;
  if (chunk->next != NULL) chunk->next->previous = chunk;
  h->chunks = chunk;
  h->resident += KERNEL_PAGE;
  for (int i = PAGES - 1; i > 0; i--) push_page(&h->idle, &chunk->pages[i]);
  h->idle_count += PAGES - 1;
  return true;
}

static void remove_chunk(heap *h, heap_chunk *chunk) {
  for (int i = 1; i < PAGES; i++) {
    unlink_page(&h->idle, &chunk->pages[i]);
    h->resident -= chunk->pages[i].touched;
  }
  h->idle_count -= PAGES - 1;
  h->resident -= KERNEL_PAGE;
  if (chunk->previous != NULL) chunk->previous->next = chunk->next;
  else h->chunks = chunk->next;
  if (chunk->next != NULL) chunk->next->previous = chunk->previous;
  munmap(chunk, CHUNK);
}

static heap_page *open_page(heap *h, unsigned class) {
  if (h->idle == NULL && !add_chunk(h)) return NULL;
  heap_page *page = h->idle;
  unlink_page(&h->idle, page);
  h->idle_count--;
  chunk_of(page)->pages_used++;
  page->free = NULL;
  page->size = (uint32_t)class_size(class);
  page->used = page->carved = 0;
  page->class = (uint8_t)class;
  page->is_open = true;
  push_page(&h->open[class], page);
  return page;
}

static void retire_page(heap *h, heap_page *page) {
  unlink_page(&h->open[page->class], page);
  page->is_open = false;
  push_page(&h->idle, page);
  h->idle_count++;
  heap_chunk *chunk = chunk_of(page);
  if (--chunk->pages_used == 0 && h->idle_count >= IDLE_KEPT) remove_chunk(h, chunk);
}

// Gives back what no block uses, so that more fits below the ceiling.
static void trim(heap *h) {
  while (h->kept != NULL) {
    heap_run *run = h->kept;
    unlink_run(&h->kept, run);
    h->resident -= run->length;
    unmap(run, run->length);
  }
  h->kept_bytes = 0;
  for (heap_page *page = h->idle; page != NULL; page = page->next) {
    if (page->touched == 0) continue;
    madvise(page_start(page), PAGE, MADV_DONTNEED);
    h->resident -= page->touched;
    page->touched = 0;
  }
}

static bool fits(heap *h, size_t more) {
  if (h->resident + more <= h->ceiling) return true;
  trim(h);
  return h->resident + more <= h->ceiling;
}

// Makes some more blocks of a page.
static bool carve(heap *h, heap_page *page, bool bounded) {
  size_t count = page->size < CARVED_AT_ONCE ? CARVED_AT_ONCE / page->size : 1;
  size_t room = (PAGE - page->carved) / page->size;
  if (count > room) count = room;
  size_t end = page->carved + count * page->size;
  size_t more = end > page->touched ? end - page->touched : 0;
  if (bounded && more > 0 && !fits(h, more)) return false;
  if (end > page->touched) {  // trim may have changed that
    h->resident += end - page->touched;
    page->touched = (uint32_t)end;
  }
  char *start = page_start(page);
  for (size_t at = end; at > page->carved;) {
    at -= page->size;
    heap_block *block = (heap_block *)(start + at);
    block->next = page->free;
    page->free = block;
  }
  page->carved = (uint32_t)end;
  return true;
}

static __attribute__((noinline)) heap_page *page_with_room(heap *h, unsigned class, bool bounded) {
  for (;;) {
    heap_page *page = h->open[class];
    if (page == NULL) page = open_page(h, class);
    if (page == NULL) return NULL;
    if (page->free != NULL) return page;
    if (page->carved + page->size <= PAGE) {
      if (carve(h, page, bounded)) return page;
      if (page->used == 0) retire_page(h, page);
      return NULL;
    }
    unlink_page(&h->open[class], page);  // full
    page->is_open = false;
  }
}

static inline void *take(heap *h, size_t size, bool bounded) {
  unsigned class = class_of(size);
  heap_page *page = h->open[class];
  if (UNLIKELY(page == NULL || page->free == NULL)) {
    page = page_with_room(h, class, bounded);
    if (page == NULL) return NULL;
  }
  heap_block *block = page->free;
  page->free = block->next;
  page->used++;
  h->used += page->size;
  return block;
}

static inline void give(heap *h, void *memory) {
  heap_page *page = page_of(memory);
  heap_block *block = memory;
  block->next = page->free;
  page->free = block;
  page->used--;
  h->used -= page->size;
  if (UNLIKELY(!page->is_open)) {
    page->is_open = true;
    push_page(&h->open[page->class], page);
  }
  // The last one of its class stays: what is freed next is often asked for next.
  if (UNLIKELY(page->used == 0) && (page->next != NULL || page->previous != NULL))
    retire_page(h, page);
}

// MARK: Runs

static heap_run *take_kept(heap *h, size_t length) {
  for (heap_run *run = h->kept; run != NULL; run = run->next) {
    if (run->length < length || run->length - length > length / 4) continue;
    unlink_run(&h->kept, run);
    h->kept_bytes -= run->length;
    h->resident -= run->length;
    return run;
  }
  return NULL;
}

static void *take_run(heap *h, size_t size, bool bounded) {
  size_t length = run_length(size);
  if (length < size) return NULL;
  heap_run *run = take_kept(h, length);
  if (run == NULL) {
    if (bounded && !fits(h, length)) return NULL;
    run = map(length);
    if (run == NULL) return NULL;
    run->length = length;
  }
  push_run(&h->runs, run);
  h->used += run->length;
  h->resident += run->length;
  return run + 1;
}

static void give_run(heap *h, void *block) {
  heap_run *run = (heap_run *)block - 1;
  unlink_run(&h->runs, run);
  h->used -= run->length;
  if (!EVERY_BLOCK_BY_MALLOC && h->kept_bytes + run->length <= KEPT_LIMIT) {
    push_run(&h->kept, run);
    h->kept_bytes += run->length;
    return;
  }
  h->resident -= run->length;
  unmap(run, run->length);
}

static void *resize_run(heap *h, void *block, size_t new_size, bool bounded) {
  heap_run *run = (heap_run *)block - 1;
  size_t old_length = run->length, length = run_length(new_size);
  if (length < new_size) return NULL;
  if (length == old_length) return block;
  if (bounded && length > old_length && !fits(h, length - old_length)) return NULL;
  unlink_run(&h->runs, run);
  heap_run *moved = remap(run, old_length, length);
  if (moved == NULL) {
    push_run(&h->runs, run);
    return length < old_length ? block : NULL;
  }
  moved->length = length;
  push_run(&h->runs, moved);
  h->used += length - old_length;
  h->resident += length - old_length;
  return moved + 1;
}

// MARK: All sizes

void *heap_allocate(heap *h, size_t size, bool bounded) {
  return is_small(size) ? take(h, size, bounded) : take_run(h, size, bounded);
}

void heap_free(heap *h, void *block, size_t size) {
  if (is_small(size)) give(h, block);
  else give_run(h, block);
}

void *heap_reallocate(heap *h, void *block, size_t old_size, size_t new_size, bool bounded) {
  if (!is_small(old_size) && !is_small(new_size)) return resize_run(h, block, new_size, bounded);
  if (is_small(old_size) && is_small(new_size) &&
      class_of(new_size) == page_of(block)->class)
    return block;
  void *moved = heap_allocate(h, new_size, bounded);
  if (moved == NULL) {
    // A page knows its size, so that a small block may serve for a smaller one.
    return new_size <= old_size && is_small(old_size) ? block : NULL;
  }
  memcpy(moved, block, old_size < new_size ? old_size : new_size);
  heap_free(h, block, old_size);
  return moved;
}

static void unmap_runs(heap_run *run) {
  while (run != NULL) {
    heap_run *next = run->next;
    unmap(run, run->length);
    run = next;
  }
}

void heap_destroy(heap *h) {
  unmap_runs(h->runs);
  unmap_runs(h->kept);
  heap_chunk *chunk = h->chunks;
  while (chunk != NULL) {
    heap_chunk *next = chunk->next;
    munmap(chunk, CHUNK);
    chunk = next;
  }
  *h = (heap){.ceiling = h->ceiling};
}
