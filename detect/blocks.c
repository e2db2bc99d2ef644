/*
 * blocks.c - see blocks.h.
 */
#include "blocks.h"

#include <malloc.h>

#include "../runtime/sys.h"
#include "epoch.h"

const struct sm_site sm_free_site = {.file = "?",
                                     .function = "free",
                                     .variable = "freed memory",
                                     .kind = SM_SITE_STORE,
                                     .order = SM_ORDER_PLAIN};

/* Origins are interned in an open table: programs have thousands of them, not millions. */
#define ORIGINS (1u << 16)

static struct sm_origin origins[ORIGINS];
static uint32_t n_origins, lock;

static uint32_t hash(const struct sm_origin *origin)
{
    uint64_t key = (uintptr_t)origin->site / sizeof(struct sm_site) + origin->thread * 31ul;
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 48);
}

static bool same(const struct sm_origin *a, const struct sm_origin *b)
{
    return a->site == b->site && a->thread == b->thread;
}

/* Without the lock: an entry, once there, does not change. 0 when it is not there. */
static uint32_t lookup(const struct sm_origin *origin, uint32_t *place)
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

static uint32_t insert(const struct sm_origin *origin)
{
    uint32_t place, number;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) /* the table */
        __builtin_ia32_pause();
    number = lookup(origin, &place);
    if (!number && n_origins < ORIGINS / 2) {
        n_origins++;
        origins[place].thread = origin->thread;
        __atomic_store_n(&origins[place].site, origin->site, __ATOMIC_RELEASE);
        number = place + 1;
    }
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    return number;
}

static const struct sm_site *last_call(const struct sm_history *history)
{
    const struct sm_history_event *event =
        history->n ? &history->events[(history->n - 1) % SM_HISTORY_EVENTS] : NULL;
    return event && event->what >> 56 == SM_HISTORY_CALL ? event->site : NULL;
}

void sm_block_begin(uintptr_t start)
{
    struct sm_origin origin = {last_call(sm_current->history), sm_current->id};
    uint32_t place, number = origin.site ? lookup(&origin, &place) : 0;
    if (!number && origin.site)
        number = insert(&origin);
    sm_cell_store(sm_cell_low(start - 8), SM_CELL_HEADER, number);
}

/* Far enough for a block of eight megabytes. */
#define WALK_MAX (1ul << 20)

bool sm_block_find(uintptr_t addr, struct sm_heap_block *block)
{
    addr &= ~7ul;
    for (uintptr_t i = 0; i < WALK_MAX && addr > 8 * i + 8; i++) {
        struct sm_cell cell = sm_cell_load(sm_cell_low(addr - 8 * i - 8));
        if (cell.write != SM_CELL_HEADER)
            continue;
        block->start = addr - 8 * i;
        block->size = malloc_usable_size((void *)block->start);
        block->origin = cell.read ? origins[cell.read - 1] : (struct sm_origin){0};
        return addr < block->start + block->size;
    }
    return false;
}
