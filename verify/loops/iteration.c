#include "verify/loops/iteration.h"

#include <errno.h>
#include <string.h>

#include "base/mix.h"
#include "runtime/control.h"
#include "runtime/restart.h"
#include "verify/graph/graph.h"
#include "verify/loops/await.h"
#include "verify/loops/undone.h"
#include "verify/pool.h"
#include "verify/run/share.h"
#include "verify/whole.h"

/* Nesting depth of loops. Beyond it the outermost loop is forgotten, and never found idle. */
enum { MOST_LOOPS = 16, MOST_ADDITIONS = 8, MOST_BLOCKS = 8 };

/* The last time the thread was at the header of a loop. */
struct arrival {
    struct sm_iteration at;
    uint64_t effects; /* of the thread until then */
    uint64_t undone;
    size_t printed;
    uint16_t index;
    int error;       /* errno, which calls of the library set */
    uint32_t rounds; /* iterations with events since the loop was entered */
};

/* An addition of the thread to a location, which it may undo. */
struct addition {
    uint16_t loc;
    uint64_t change;
    uint64_t effects; /* before it */
};

/* Blocks that the thread has allocated and not freed since it was at a header or had another
   effect. */
struct pending_blocks {
    struct {
        uintptr_t addr;
        size_t size;
    } at[MOST_BLOCKS];
    uint32_t n;
    uint64_t before, after; /* effects before the first, and since the last was added or removed */
};

static struct loops {
    struct arrival arrivals[MOST_LOOPS];
    struct addition additions[MOST_ADDITIONS];
    struct pending_blocks blocks;
    uint32_t n, n_additions;
    uint64_t effects; /* number of the thread's changes so far: restored when it undoes the rest */
    uint64_t names;   /* the last such number used */
    uint64_t undone;  /* how many changes it undid */
    uint32_t rounds;  /* of the loop at whose header it was last */
    uint16_t since;
    bool reloads, undoes;
} *threads; /* SM_GRAPH_THREADS of them */

static bool on;

bool sm_iteration_is_on(void)
{
    return on;
}

void sm_iteration_start(void)
{
    on = !sm_option(count) && sm_whole_shows_effects();
    threads = sm_pool_get(SM_GRAPH_THREADS * sizeof *threads);
    memset(threads, 0, SM_GRAPH_THREADS * sizeof *threads);
}

void sm_iteration_begin(void)
{
    for (uint32_t i = 0, n = sm_share_thread_count(); i < n; i++)
        threads[i].n = threads[i].n_additions = threads[i].blocks.n = threads[i].effects =
            threads[i].names = threads[i].undone = threads[i].rounds = 0;
}

void sm_iteration_note_effect(uint32_t thread)
{
    struct loops *loops = &threads[thread];
    loops->effects = ++loops->names;
    loops->n_additions = loops->blocks.n = 0;
}

uint32_t sm_iteration_effects(uint32_t thread)
{
    return (uint32_t)threads[thread].names;
}

void sm_iteration_note_allocation(uint32_t thread, uintptr_t addr, size_t size)
{
    struct loops *loops = &threads[thread];
    struct pending_blocks *blocks = &loops->blocks;
    if (blocks->n == MOST_BLOCKS || (blocks->n && loops->effects != blocks->after)) {
        sm_iteration_note_effect(thread);
        return;
    }
    if (!blocks->n)
        blocks->before = loops->effects;
    blocks->at[blocks->n].addr = addr;
    blocks->at[blocks->n++].size = size;
    loops->effects = blocks->after = ++loops->names;
}

/* Its index among the blocks, or n. */
static uint32_t block_of(const struct pending_blocks *blocks, uintptr_t addr)
{
    uint32_t i = 0;
    while (i < blocks->n && addr - blocks->at[i].addr >= blocks->at[i].size)
        i++;
    return i;
}

void sm_iteration_note_free(uint32_t thread, uintptr_t addr)
{
    struct loops *loops = &threads[thread];
    struct pending_blocks *blocks = &loops->blocks;
    uint32_t i = block_of(blocks, addr);
    if (i == blocks->n || loops->effects != blocks->after) {
        sm_iteration_note_effect(thread);
        return;
    }
    blocks->at[i] = blocks->at[--blocks->n];
    blocks->after = ++loops->names;
    loops->effects = blocks->n ? blocks->after : blocks->before;
}

/* A thread that is at a header has left the functions with frames below it. */
static void leave_frames_below(struct loops *loops, uintptr_t frame)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < loops->n; i++)
        if (loops->arrivals[i].at.frame >= frame)
            loops->arrivals[n++] = loops->arrivals[i];
    loops->n = n;
}

bool sm_iteration_forgets(uint32_t thread, uintptr_t addr)
{
    const struct loops *loops = &threads[thread];
    for (uint32_t i = 0; i < loops->n; i++)
        if (addr >= loops->arrivals[i].at.forgotten)
            return false;
    return true;
}

bool sm_iteration_owns(uint32_t thread, uintptr_t addr)
{
    return block_of(&threads[thread].blocks, addr) < threads[thread].blocks.n;
}

static bool is_inverse(const struct addition *addition, uint16_t loc, unsigned size,
                       uint64_t change)
{
    return addition->loc == loc && (addition->change + change) << (64 - 8 * size) == 0;
}

static bool undo_last(struct loops *loops, uint16_t loc, unsigned size, uint64_t change)
{
    const struct addition *last = &loops->additions[loops->n_additions - 1];
    if (!loops->n_additions || !is_inverse(last, loc, size, change) || !sm_undone_watch(loc))
        return false;
    loops->effects = last->effects;
    loops->n_additions--;
    loops->undone++;
    return true;
}

void sm_iteration_note_addition(uint32_t thread, uint16_t loc, unsigned size, uint64_t change)
{
    struct loops *loops = &threads[thread];
    if (undo_last(loops, loc, size, change))
        return;
    if (loops->n_additions == MOST_ADDITIONS)
        loops->n_additions = 0;
    loops->additions[loops->n_additions++] = (struct addition){loc, change, loops->effects};
    loops->effects = ++loops->names;
}

void sm_iteration_note_taken(uint32_t thread, uint16_t lock)
{
    sm_iteration_note_addition(thread, lock, sizeof(uint64_t), 1);
}

void sm_iteration_note_given_back(uint32_t thread, uint16_t lock)
{
    if (!undo_last(&threads[thread], lock, sizeof(uint64_t), -1ul))
        sm_iteration_note_effect(thread);
}

uint16_t sm_iteration_since(uint32_t thread)
{
    return threads[thread].since;
}

bool sm_iteration_reloads(uint32_t thread)
{
    return threads[thread].reloads;
}

bool sm_iteration_undoes(uint32_t thread)
{
    return threads[thread].undoes;
}

static size_t printed_so_far(void)
{
    const char *unused;
    return sm_restart_written(&unused) + sm_control->outcome_bytes;
}

static struct arrival *find(struct loops *loops, const struct sm_iteration *at)
{
    for (uint32_t i = loops->n; i-- > 0;)
        if (loops->arrivals[i].at.loop == at->loop && loops->arrivals[i].at.frame == at->frame)
            return &loops->arrivals[i];
    return NULL;
}

static struct arrival *add(struct loops *loops)
{
    if (loops->n == MOST_LOOPS)
        memmove(loops->arrivals, loops->arrivals + 1, --loops->n * sizeof *loops->arrivals);
    return &loops->arrivals[loops->n++];
}

static bool is_entry(const struct arrival *arrival)
{
    return !arrival->at.again;
}

static bool is_same(const struct arrival *then, const struct arrival *now)
{
    return then->effects == now->effects && then->printed == now->printed &&
           then->index < now->index && then->at.state == now->at.state &&
           then->error == now->error && (is_entry(then) || then->at.reload == now->at.reload);
}

static uint32_t rounds_of(const struct arrival *then, const struct sm_iteration *at, uint16_t index)
{
    return then && at->again ? then->rounds + (index > then->index) : 0;
}

uint32_t sm_iteration_rounds(uint32_t thread)
{
    return threads[thread].rounds;
}

bool sm_iteration_is_idle(uint32_t thread, const struct sm_iteration *at, uint16_t index)
{
    struct loops *loops = &threads[thread];
    leave_frames_below(loops, at->frame);
    struct arrival *then = find(loops, at);
    const struct arrival now = {*at,
                                loops->effects,
                                loops->undone,
                                printed_so_far(),
                                index,
                                errno,
                                rounds_of(then, at, index)};
    loops->rounds = now.rounds;
    bool idle = at->again && then && is_same(then, &now);
    if (idle) {
        loops->since = then->index;
        loops->reloads = then->at.reload != at->reload;
        loops->undoes = then->undone != loops->undone;
    }
    if (!idle || loops->undoes || at->counts) /* the thread may continue */
        *(then ? then : add(loops)) = now;
    loops->blocks.n = 0; /* blocks allocated before do not belong to the next iteration */
    return idle;
}

static uint64_t pending_state(const struct loops *loops)
{
    uint64_t hash = loops->n_additions;
    for (uint32_t i = 0; i < loops->n_additions; i++)
        hash = sm_mix(sm_mix(hash, loops->additions[i].loc), loops->additions[i].change);
    for (uint32_t i = 0; i < loops->blocks.n; i++)
        hash = sm_mix(sm_mix(hash, loops->blocks.at[i].addr), loops->blocks.at[i].size);
    return sm_mix(hash, loops->blocks.n && loops->effects == loops->blocks.after);
}

/* Which changes the thread must undo to restore its state at the arrival. */
static uint64_t way_back(const struct loops *loops, const struct arrival *arrival)
{
    uint64_t way = loops->undone == arrival->undone;
    way = way << 1 | (loops->blocks.n && loops->blocks.before == arrival->effects);
    for (uint32_t i = 0; i < loops->n_additions; i++)
        way = way << 1 | (loops->additions[i].effects == arrival->effects);
    return way << 1 | (loops->effects == arrival->effects);
}

/* How many events the thread has had since; 2: or more. */
static uint64_t events_since(const struct arrival *arrival, uint16_t index)
{
    uint16_t n = (uint16_t)(index - arrival->index);
    return n > 1 ? 2 : n;
}

uint64_t sm_iteration_state(uint32_t thread, uint16_t index)
{
    const struct loops *loops = &threads[thread];
    uint64_t hash = sm_mix(loops->n, pending_state(loops));
    for (uint32_t i = 0; i < loops->n; i++) {
        const struct arrival *arrival = &loops->arrivals[i];
        hash = sm_mix(sm_mix(hash, arrival->at.loop), arrival->at.frame);
        hash = sm_mix(sm_mix(hash, arrival->at.state), is_entry(arrival) ? 0 : arrival->at.reload);
        hash = sm_mix(hash, way_back(loops, arrival) << 3 | (uint64_t)is_entry(arrival) << 2 |
                                events_since(arrival, index));
        hash = sm_mix(hash, sm_await_most_rounds() ? arrival->rounds : 0);
    }
    return hash;
}
