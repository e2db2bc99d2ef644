#include "verify/loops/await.h"

#include <string.h>

#include "base/mix.h"
#include "base/sys.h"
#include "runtime/snapshot.h"
#include "runtime/thread.h"
#include "verify/graph/threads.h"
#include "verify/loops/iteration.h"
#include "verify/loops/probe.h"
#include "verify/pool.h"
#include "verify/run/share.h"

/* Private reads are checked only after this many: a loop over memory that no other thread has
   accessed so far seldom waits. */
enum { RECENT = 8, MAX_SITES = 256, MANY = 1000 };

/* A read of the thread since it last had an effect. */
struct turn {
    const struct sm_site *site;
    uintptr_t addr;
    uint64_t state; /* of the thread; 0: not taken */
    uint16_t index; /* how many events the thread had */
};

struct thread_turns {
    struct turn turns[RECENT];
    uint32_t n;
    uint32_t private_reads; /* since its last effect */
    struct turn probe;      /* the private read that is checked */
    uintptr_t stack_top;
    uint64_t state; /* when it was last taken */
    uint16_t since; /* blocked: the first event of its last iteration */
};

static struct known {
    const struct sm_site *sites[MAX_SITES]; /* sites of reads that were repeated */
    uint32_t n;
    uint32_t most_rounds;
    uint32_t record, records; /* most iterations in an execution; executions that had the most */
    bool grew;
} *known;
static bool had_record; /* this execution */

static struct thread_turns *threads; /* SM_GRAPH_THREADS of them */
static sm_threads stopped;
static sm_threads retrying; /* of these: those that would continue */

void sm_await_start(void)
{
    sm_snapshot_start();
    known = sm_pool_get(sizeof *known);
    memset(known, 0, sizeof *known);
    threads = sm_pool_get(SM_GRAPH_THREADS * sizeof *threads);
    memset(threads, 0, SM_GRAPH_THREADS * sizeof *threads);
}

void sm_await_begin(void)
{
    for (uint32_t i = 0, n = sm_share_thread_count(); i < n; i++) {
        threads[i].n = threads[i].private_reads = 0;
        threads[i].stack_top = 0;
    }
    stopped = retrying = 0;
    had_record = false;
}

void sm_await_forget(void)
{
    stopped = retrying = 0;
}

bool sm_await_grew(void)
{
    return known->grew;
}

void sm_await_settle(void)
{
    known->grew = false;
}

void sm_await_begin_again(void)
{
    known->grew = true;
}

/* Two threads that count in one location for ever have 12,870 orders of eight iterations each. */
void sm_await_limit_rounds(void)
{
    enum { ROUNDS = 8 };
    known->most_rounds = ROUNDS;
    known->grew = true;
}

bool sm_await_rounds_grow(uint32_t rounds)
{
    enum { ENOUGH = 500 };
    if (rounds <= known->record)
        return false;
    known->record = rounds;
    known->records += !had_record;
    had_record = true;
    return known->records >= ENOUGH && !known->most_rounds;
}

uint32_t sm_await_most_rounds(void)
{
    return known->most_rounds;
}

void sm_await_pack(struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, known, sizeof *known);
}

void sm_await_unpack(struct sm_parcel *parcel)
{
    sm_parcel_take(parcel, known, sizeof *known);
    known->grew = false;
}

void sm_await_thread(const struct sm_event *begin)
{
    threads[begin->thread->id].stack_top = (uintptr_t)begin;
}

static void forget_turns(struct thread_turns *turns)
{
    turns->n = turns->private_reads = 0;
}

void sm_await_busy(const struct sm_thread *thread)
{
    forget_turns(&threads[thread->id]);
    sm_iteration_note_effect(thread->id);
}

static bool is_own_stack(const struct sm_event *event)
{
    return event->thread->stack_low && event->addr >= (uintptr_t)event->thread->stack_low &&
           event->addr + event->size <= sm_await_stack_top(event->thread);
}

void sm_await_allocated(const struct sm_thread *thread, uintptr_t block, size_t size)
{
    forget_turns(&threads[thread->id]);
    sm_iteration_note_allocation(thread->id, block, size);
}

void sm_await_freed(const struct sm_thread *thread, uintptr_t block)
{
    forget_turns(&threads[thread->id]);
    sm_iteration_note_free(thread->id, block);
}

void sm_await_stored_privately(const struct sm_event *event, bool rewrites)
{
    if (sm_iteration_owns(event->thread->id, event->addr)) {
        forget_turns(&threads[event->thread->id]);
        return;
    }
    if (!is_own_stack(event)) {
        if (!rewrites)
            sm_await_busy(event->thread);
        return;
    }
    threads[event->thread->id].private_reads = 0; /* a loop over locals: its state is not taken */
    if (!rewrites && !sm_iteration_forgets(event->thread->id, event->addr))
        sm_iteration_note_effect(event->thread->id);
}

void sm_await_added(const struct sm_thread *thread, uint16_t loc, unsigned size, uint64_t change)
{
    forget_turns(&threads[thread->id]);
    sm_iteration_note_addition(thread->id, loc, size, change);
}

void sm_await_locks(const struct sm_thread *thread, uint16_t lock, bool takes)
{
    forget_turns(&threads[thread->id]);
    if (!sm_iteration_is_on())
        sm_iteration_note_effect(thread->id);
    else if (takes)
        sm_iteration_note_taken(thread->id, lock);
    else
        sm_iteration_note_given_back(thread->id, lock);
}

/* ---- the state of a thread ---- */

uintptr_t sm_await_stack_top(const struct sm_thread *thread)
{
    uintptr_t top = threads[thread->id].stack_top;
    return top ? top : (uintptr_t)thread->stack_low + thread->stack_size;
}

uint64_t sm_await_take_state(const struct sm_event *event)
{
    return sm_snapshot_take(event, sm_await_stack_top(event->thread));
}

/* ---- reads ---- */

bool sm_await_is_known(const struct sm_site *site)
{
    for (uint32_t i = 0; i < known->n; i++)
        if (known->sites[i] == site)
            return true;
    return false;
}

void sm_await_learn(const struct sm_site *site)
{
    if (sm_await_is_known(site) || known->n == MAX_SITES)
        return;
    known->sites[known->n++] = site;
    known->grew = true;
}

void sm_await_look_back(const struct sm_graph *graph, const struct sm_node *read,
                        const struct sm_site *site)
{
    uint32_t e = graph->last[read->thread];
    for (unsigned i = 0; i < RECENT && e != SM_NO_NODE; i++, e = graph->nodes[e].pred) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->thread != read->thread || node->kind == SM_NODE_WRITE)
            return;
        if (node->kind == SM_NODE_READ && node->site == read->site && node->loc == read->loc)
            sm_await_learn(site);
    }
}

static struct turn *find(struct thread_turns *turns, const struct sm_event *event)
{
    for (uint32_t i = 0; i < turns->n; i++)
        if (turns->turns[i].site == event->site && turns->turns[i].addr == event->addr)
            return &turns->turns[i];
    return NULL;
}

static void remember(struct thread_turns *turns, const struct sm_event *event, uint64_t state,
                     uint16_t index)
{
    struct turn *turn = find(turns, event);
    if (!turn && turns->n == RECENT)
        memmove(turns->turns, turns->turns + 1, --turns->n * sizeof *turns->turns);
    if (!turn)
        turn = &turns->turns[turns->n++];
    *turn = (struct turn){event->site, event->addr, state, index};
}

bool sm_await_idle(const struct sm_event *event, uint16_t index)
{
    struct thread_turns *turns = &threads[event->thread->id];
    if (!event->site)
        return false;
    struct turn *before = find(turns, event);
    if (before)
        sm_await_learn(event->site);
    uint64_t state = sm_await_is_known(event->site) ? sm_await_take_state(event) : 0;
    turns->state = state;
    if (before && state && before->state == state) {
        turns->since = before->index;
        return true;
    }
    remember(turns, event, state, index);
    return false;
}

bool sm_await_idle_privately(const struct sm_event *event, uint16_t index)
{
    struct thread_turns *turns = &threads[event->thread->id];
    if (SM_LIKELY(++turns->private_reads < MANY) || !event->site)
        return false;
    bool again = turns->private_reads > MANY && turns->probe.site == event->site &&
                 turns->probe.addr == event->addr;
    if (turns->private_reads > MANY && !again)
        return false;
    uint64_t state = sm_await_take_state(event), before = turns->probe.state;
    turns->probe = (struct turn){event->site, event->addr, state, index};
    turns->since = index;
    return again && state && state == before;
}

uint16_t sm_await_since(const struct sm_thread *thread)
{
    return threads[thread->id].since;
}

void sm_await_waited(uint32_t thread, uint16_t since, uint64_t state)
{
    threads[thread].since = since;
    threads[thread].state = state;
}

void sm_await_stopped(uint32_t thread, bool retries)
{
    stopped |= sm_threads_of(thread);
    retrying |= retries ? sm_threads_of(thread) : 0;
}

void sm_await_stop(uint32_t thread, uint16_t nth)
{
    threads[thread].since = nth;
    sm_await_stopped(thread, false);
}

uint64_t sm_await_state(const struct sm_thread *thread)
{
    return threads[thread->id].state;
}

static bool passed_over(const struct sm_graph *graph, uint32_t read)
{
    const struct sm_node *node = &graph->nodes[read];
    for (uint32_t w = sm_graph_next(graph, node->loc, node->rf); w != SM_NO_NODE;
         w = graph->nodes[w].mo_next)
        if (w < read)
            return true;
    return false;
}

bool sm_await_is_futile(const struct sm_graph *graph, uint32_t thread)
{
    uint32_t reads = 0;
    const struct sm_node *last = &graph->nodes[graph->last[thread]];
    for (uint32_t e = graph->last[thread]; e != SM_NO_NODE; e = graph->nodes[e].pred) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->thread != thread || node->index < threads[thread].since)
            break;
        bool may_race = !threads[thread].state && node->order == SM_ORDER_PLAIN;
        if (node->kind == SM_NODE_READ && (may_race || !passed_over(graph, e)))
            return false;
        reads += node->kind == SM_NODE_READ;
    }
    if (threads[thread].state && reads == 1 && last->kind == SM_NODE_READ &&
        last->index == threads[thread].since)
        sm_probe_remember(threads[thread].state, last->value);
    return reads > 0;
}

/* The node belongs to the last iteration of a blocked thread. */
static bool is_of_last_iteration(const struct sm_node *node)
{
    return sm_threads_have(stopped, node->thread) && node->index >= threads[node->thread].since;
}

/* A compare-exchange has failed spuriously, or a wait has ended so: not for ever. */
static bool is_spurious(const struct sm_node *node)
{
    return node->kind == SM_NODE_CHOICE && node->value;
}

/* The newest write is the one it reads from, apart from writes of last iterations that together
   left the value unchanged; or it reads from a write of its own thread's last iteration. */
static bool sees_newest(const struct sm_graph *graph, const struct sm_node *node)
{
    if (node->kind != SM_NODE_READ)
        return true;
    uint32_t next = sm_graph_next(graph, node->loc, node->rf);
    while (next != SM_NO_NODE && is_of_last_iteration(&graph->nodes[next]))
        next = graph->nodes[next].mo_next;
    if (next != SM_NO_NODE)
        return false;
    const struct sm_node *from = node->rf == SM_NO_NODE ? NULL : &graph->nodes[node->rf];
    return (from && from->thread == node->thread && is_of_last_iteration(from)) ||
           sm_graph_value(graph, node->loc, graph->locs[node->loc].mo_last) == node->value;
}

bool sm_await_stays_blocked(const struct sm_graph *graph)
{
    if (retrying)
        return false;
    for (uint32_t e = 0; stopped && e < graph->n; e++) {
        const struct sm_node *node = &graph->nodes[e];
        if (is_of_last_iteration(node) && (is_spurious(node) || !sees_newest(graph, node)))
            return false;
    }
    return true;
}
