/*
 * reference.c - races by the book: every access of every byte is kept, with its thread's whole
 * clock, and compared with every later one. Slow, and short enough to be believed.
 */
#include <string.h>

#include "program.h"

struct clock {
    unsigned time[THREADS];
};

struct access {
    struct clock clock; /* of its thread */
    uint8_t thread;
    bool writes, atomic;
};

enum { BYTES = POOLS * POOL_SIZE };

struct state {
    struct clock thread[THREADS];
    struct clock released[THREADS]; /* at its last release fence */
    struct clock acquired[THREADS]; /* by relaxed loads, for its next acquire fence */
    struct clock message[BYTES];    /* of the newest atomic store that begins here */
    struct clock head[BYTES][THREADS];
    struct clock lock[LOCKS], writer[LOCKS], readers[LOCKS];
    struct access accesses[BYTES][MOST_OPERATIONS];
    unsigned n_accesses[BYTES];
    unsigned racy;
};

static void learn(struct clock *to, const struct clock *from)
{
    for (unsigned i = 0; i < THREADS; i++)
        if (from->time[i] > to->time[i])
            to->time[i] = from->time[i];
}

/* ---- races ---- */

static bool races(const struct access *old, const struct access *new)
{
    return old->thread != new->thread && (old->writes || new->writes) &&
           !(old->atomic && new->atomic) &&
           old->clock.time[old->thread] > new->clock.time[old->thread];
}

static void touch(struct state *state, const struct operation *operation, bool writes, bool atomic)
{
    struct access new = {state->thread[operation->thread], operation->thread, writes, atomic};
    for (unsigned i = 0; i < operation->size; i++) {
        unsigned byte = operation->pool * POOL_SIZE + operation->offset + i;
        for (unsigned k = 0; k < state->n_accesses[byte]; k++)
            if (races(&state->accesses[byte][k], &new))
                state->racy |= 1u << operation->pool;
        state->accesses[byte][state->n_accesses[byte]++] = new;
    }
}

/* ---- synchronisation ---- */

static bool acquires(unsigned order)
{
    return order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
}

static bool releases(unsigned order)
{
    return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

static void atomic_load(struct state *state, const struct operation *operation, unsigned order)
{
    const struct clock *message = &state->message[operation->pool * POOL_SIZE + operation->offset];
    learn(&state->acquired[operation->thread], message);
    if (acquires(order))
        learn(&state->thread[operation->thread], message);
}

static void atomic_store(struct state *state, const struct operation *operation, bool goes_on)
{
    unsigned byte = operation->pool * POOL_SIZE + operation->offset, thread = operation->thread;
    struct clock message = {{0}};
    if (goes_on)
        message = state->message[byte];
    if (releases(operation->order)) {
        learn(&message, &state->thread[thread]);
        state->head[byte][thread] = state->thread[thread];
    } else {
        learn(&message, &state->head[byte][thread]);
    }
    learn(&message, &state->released[thread]);
    state->message[byte] = message;
}

static void fence(struct state *state, const struct operation *operation)
{
    unsigned thread = operation->thread;
    if (acquires(operation->order))
        learn(&state->thread[thread], &state->acquired[thread]);
    if (releases(operation->order))
        state->released[thread] = state->thread[thread];
}

static void free_pool(struct state *state, uint8_t thread)
{
    struct operation all = {.thread = thread, .pool = HEAP_POOL, .size = POOL_SIZE};
    touch(state, &all, true, false);
}

/* ---- one operation ---- */

static void access_memory(struct state *state, const struct operation *operation)
{
    bool succeeds = operation->kind == ADD || (operation->kind == CAS && operation->flag);
    switch (operation->kind) {
    case LOAD:
        touch(state, operation, false, false);
        break;
    case STORE:
    case FILL:
    case COPY:
        touch(state, operation, true, false);
        break;
    case ATOMIC_LOAD:
        atomic_load(state, operation, operation->order);
        touch(state, operation, false, true);
        break;
    case ATOMIC_STORE:
        touch(state, operation, true, true);
        atomic_store(state, operation, false);
        break;
    default: /* ADD, CAS */
        atomic_load(state, operation, succeeds ? operation->order : operation->failure);
        touch(state, operation, succeeds, true);
        if (succeeds)
            atomic_store(state, operation, true);
    }
}

static void synchronise(struct state *state, const struct operation *operation)
{
    struct clock *own = &state->thread[operation->thread];
    unsigned object = operation->object;
    switch (operation->kind) {
    case FENCE:
        fence(state, operation);
        break;
    case LOCK:
        learn(own, &state->lock[object]);
        break;
    case UNLOCK:
        learn(&state->lock[object], own);
        break;
    case READ_LOCK:
        learn(own, &state->writer[object]);
        break;
    case READ_UNLOCK:
        learn(&state->readers[object], own);
        break;
    case WRITE_LOCK:
        learn(own, &state->writer[object]);
        learn(own, &state->readers[object]);
        break;
    case WRITE_UNLOCK:
        learn(&state->writer[object], own);
        break;
    case FREE:
        free_pool(state, operation->thread);
        break;
    case CREATE:
        learn(&state->thread[object], own);
        break;
    default: /* JOIN */
        learn(own, &state->thread[object]);
    }
}

unsigned racy_pools(const struct program *program)
{
    static struct state state;
    memset(&state, 0, sizeof state);
    for (unsigned i = 0; i < program->n; i++) {
        const struct operation *operation = &program->operations[i];
        /* Each operation has a time of its own: what others learnt of an earlier one does not
           cover this one. */
        state.thread[operation->thread].time[operation->thread]++;
        if (operation->kind <= CAS)
            access_memory(&state, operation);
        else
            synchronise(&state, operation);
    }
    return state.racy;
}
