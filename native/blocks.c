/*
 * blocks.c - see blocks.h.
 */
#include "native/blocks.h"

#include <malloc.h>
#include <sys/uio.h>

#include "base/sys.h"
#include "native/epoch.h"
#include "native/lock.h"

const struct sm_site sm_free_site = {.file = "?",
                                     .function = "free",
                                     .variable = "freed memory",
                                     .kind = SM_SITE_STORE,
                                     .order = SM_ORDER_PLAIN};

/* Origins are interned in an open-addressing table: programs have thousands of them, not
   millions. */
#define ORIGINS (1u << 16)

static struct sm_block_origin origins[ORIGINS];
static uint32_t n_origins, lock; /* of the table */

static uint32_t hash(const struct sm_block_origin *origin)
{
    uint64_t key = (uintptr_t)origin->site / sizeof(struct sm_site) + origin->thread * 31ul;
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 48);
}

static bool same(const struct sm_block_origin *a, const struct sm_block_origin *b)
{
    return a->site == b->site && a->thread == b->thread;
}

/* Without the lock: an entry does not change once it is published. 0: not found. */
static uint32_t lookup(const struct sm_block_origin *origin, uint32_t *place)
{
    uint32_t i = hash(origin);
    while (__atomic_load_n(&origins[i].site, __ATOMIC_ACQUIRE)) { /* pairs with insert's release */
        if (same(&origins[i], origin))
            return i + 1;
        i = (i + 1) % ORIGINS;
    }
    *place = i;
    return 0;
}

static uint32_t insert(const struct sm_block_origin *origin)
{
    uint32_t place = 0, number;
    sm_lock_word(&lock, SM_LOCK_ORIGINS);
    number = lookup(origin, &place);
    if (!number && n_origins < ORIGINS / 2) {
        n_origins++;
        origins[place].thread = origin->thread;
        __atomic_store_n(&origins[place].site, origin->site, __ATOMIC_RELEASE);
        number = place + 1;
    }
    sm_unlock_word(&lock, SM_LOCK_ORIGINS);
    return number;
}

static const struct sm_site *last_call(const struct sm_call_history *history)
{
    const struct sm_history_event *event =
        history->n ? &history->events[(history->n - 1) % SM_HISTORY_EVENTS] : NULL;
    return event && event->what >> 56 == SM_HISTORY_CALL ? event->site : NULL;
}

/* An entry's number takes 17 bits of the word; the slack takes the rest, if it fits. */
#define NUMBER_BITS 17
#define SLACK_MAX (1u << (32 - NUMBER_BITS))
_Static_assert(ORIGINS < 1u << NUMBER_BITS, "the last number is ORIGINS");

void sm_block_begin(uintptr_t start, size_t slack)
{
    struct sm_block_origin origin = {last_call(sm_current->history), sm_current->id};
    uint32_t place, number = origin.site ? lookup(&origin, &place) : 0;
    if (!number && origin.site)
        number = insert(&origin);
    if (slack < SLACK_MAX)
        number |= (uint32_t)slack << NUMBER_BITS;
    sm_cell_store(sm_cell_of(start - 8), SM_MARK_HEADER | (uint64_t)number << 32, 0);
}

/* The kernel does the copy, so that unmapped memory does not fault. */
bool sm_memory_copy(void *to, uintptr_t from, size_t size)
{
    struct iovec local = {to, size}, remote = {(void *)from, size};
    long pid = sm_syscall(SYS_getpid);
    return sm_syscall(SYS_process_vm_readv, pid, &local, 1L, &remote, 1L, 0L) == (long)size;
}

static struct sm_heap_block block_of(uintptr_t start, size_t usable, uint32_t word)
{
    uint32_t number = word % (1u << NUMBER_BITS);
    return (struct sm_heap_block){.start = start,
                                  .size = usable - (word >> NUMBER_BITS),
                                  .origin =
                                      number ? origins[number - 1] : (struct sm_block_origin){0}};
}

/* A freed block may have been unmapped, and its size with it. */
static bool read_block(uintptr_t start, uint32_t word, struct sm_heap_block *block)
{
    uint64_t header;
    if (!sm_memory_copy(&header, start - sizeof header, sizeof header))
        return false;
    *block = block_of(start, malloc_usable_size((void *)start), word);
    return true;
}

/* If the word before the block has become part of another block, its cell is not a header any
   more. */
void sm_block_ended(uintptr_t start, size_t usable, struct sm_heap_block *block)
{
    struct sm_cell cell = sm_cell_load(sm_cell_of(start - 8));
    *block = block_of(start, usable, cell.mark[0] == SM_MARK_HEADER ? cell.mark[1] : 0);
}

/* Far enough for a block of eight megabytes. */
#define WALK_MAX (1ul << 20)

bool sm_block_find(uintptr_t addr, struct sm_heap_block *block)
{
    addr &= ~7ul;
    for (uintptr_t i = 0; i < WALK_MAX && addr > 8 * i + 8; i++) {
        struct sm_cell cell = sm_cell_load(sm_cell_of(addr - 8 * i - 8));
        if (cell.mark[0] != SM_MARK_HEADER)
            continue;
        return read_block(addr - 8 * i, cell.mark[1], block) && addr < block->start + block->size;
    }
    return false;
}
