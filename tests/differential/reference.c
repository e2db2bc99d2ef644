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

/* An object and a descriptor are a byte each, behind those of the pools: its initialisation and its
   end are plain writes of it, each use is an atomic read. */
enum {
    POOL_BYTES = POOLS * POOL_SIZE,
    OBJECT_BYTES = POOL_BYTES,
    DESCRIPTOR_BYTES = OBJECT_BYTES + OBJECTS,
    BYTES = DESCRIPTOR_BYTES + DESCRIPTORS
};

struct state {
    struct clock thread[THREADS];
    struct clock released[THREADS];   /* at its last release fence */
    struct clock acquired[THREADS];   /* by relaxed loads, for its next acquire fence */
    struct clock message[POOL_BYTES]; /* of the newest atomic store that begins here */
    struct clock head[POOL_BYTES][THREADS];
    struct clock lock[LOCKS], writer[LOCKS], readers[LOCKS];
    struct clock object[OBJECTS], object_readers; /* of the read-write lock */
    struct clock signal[SIGNALS], children, channel[CHANNELS];
    int robust_owner[OBJECTS]; /* a thread, or -1 */
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

static void touch_byte(struct state *state, unsigned byte, unsigned place, const struct access *new)
{
    for (unsigned k = 0; k < state->n_accesses[byte]; k++)
        if (races(&state->accesses[byte][k], new))
            state->racy |= 1u << place;
    state->accesses[byte][state->n_accesses[byte]++] = *new;
}

static void touch(struct state *state, const struct operation *operation, bool writes, bool atomic)
{
    struct access new = {state->thread[operation->thread], operation->thread, writes, atomic};
    for (unsigned i = 0; i < operation->size; i++)
        touch_byte(state, operation->pool * POOL_SIZE + operation->offset + i,
                   FIRST_POOL + operation->pool, &new);
}

static void touch_object(struct state *state, unsigned thread, unsigned object, bool writes)
{
    struct access new = {state->thread[thread], (uint8_t)thread, writes, !writes};
    touch_byte(state, OBJECT_BYTES + object, FIRST_OBJECT + object, &new);
}

static void touch_descriptor(struct state *state, const struct operation *operation, bool writes)
{
    struct access new = {state->thread[operation->thread], operation->thread, writes, !writes};
    touch_byte(state, DESCRIPTOR_BYTES + operation->object, FIRST_FILE + operation->object, &new);
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

/* ---- objects ---- */

static void learn_both(struct clock *own, struct clock *object)
{
    learn(own, object);
    learn(object, own);
}

/* Signals of a condition, and a barrier for one thread, order nothing. */
static void use(struct state *state, const struct operation *operation)
{
    struct clock *own = &state->thread[operation->thread];
    struct clock *object = &state->object[operation->object];
    touch_object(state, operation->thread, operation->object, false);
    switch (operation->object) {
    case MUTEX:
    case SPIN:
        learn_both(own, object);
        break;
    case RWLOCK:
        learn(own, object);
        if (!operation->flag)
            learn(own, &state->object_readers);
        learn(operation->flag ? &state->object_readers : object, own);
        break;
    case SEMAPHORE:
        if (operation->flag)
            learn(object, own);
        else
            learn(own, object);
        break;
    }
}

/* What was released to an object is forgotten with it. */
static void renew(struct state *state, const struct operation *operation)
{
    touch_object(state, operation->thread, operation->object, true);
    state->object[operation->object] = (struct clock){{0}};
    if (operation->object == RWLOCK)
        state->object_readers = (struct clock){{0}};
}

static void robust_lock(struct state *state, const struct operation *operation)
{
    touch_object(state, operation->thread, operation->object, false);
    if (operation->result == NOT_RECOVERABLE || operation->result == BUSY)
        return;
    learn(&state->thread[operation->thread], &state->object[operation->object]);
    state->robust_owner[operation->object] = operation->thread;
}

static void robust_unlock(struct state *state, unsigned thread, unsigned mutex)
{
    touch_object(state, thread, mutex, false);
    learn(&state->object[mutex], &state->thread[thread]);
    state->robust_owner[mutex] = -1;
}

/* The death of a robust mutex's owner unlocks it. */
static void die(struct state *state, unsigned thread)
{
    state->thread[thread].time[thread]++;
    for (unsigned mutex = ROBUST; mutex <= ROBUST_TOO; mutex++)
        if (state->robust_owner[mutex] == (int)thread)
            robust_unlock(state, thread, mutex);
}

static void operate(struct state *state, const struct operation *operation)
{
    switch (operation->kind) {
    case ROBUST_LOCK:
        robust_lock(state, operation);
        break;
    case ROBUST_UNLOCK:
        robust_unlock(state, operation->thread, operation->object);
        break;
    case USE:
        use(state, operation);
        break;
    case INIT:
    case DESTROY:
        renew(state, operation);
        break;
    default: /* CONSISTENT, between a lock and an unlock; LAST */
        break;
    }
}

/* ---- what goes through the kernel ---- */

static unsigned object_of(unsigned channel)
{
    return channel == SOCKETS_TOO ? (unsigned)SOCKETS : channel;
}

static void call(struct state *state, const struct operation *operation)
{
    struct clock *own = &state->thread[operation->thread];
    unsigned object = operation->object;
    switch (operation->kind) {
    case HANDLE:
    case SEND:
        learn(&state->signal[operation->signal], own);
        break;
    case TAKE:
    case ACCEPT:
        learn(own, &state->signal[operation->signal]);
        break;
    case FORK:
        learn(&state->children, own);
        break;
    case WAIT:
        learn(own, &state->children);
        break;
    case WRITE_MESSAGE:
        learn(&state->channel[object_of(object)], own);
        break;
    case READ_MESSAGE:
        learn(own, &state->channel[object_of(object)]);
        break;
    case USE_DESCRIPTOR:
        touch_descriptor(state, operation, false);
        break;
    case CLOSE:
        touch_descriptor(state, operation, true);
        break;
    case REPLACE:
        touch_descriptor(state, operation, true);
        state->n_accesses[DESCRIPTOR_BYTES + object] = 0; /* a new one */
        break;
    default: /* RETURN */
        break;
    }
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
        die(state, object);
        learn(own, &state->thread[object]);
    }
}

unsigned racy_places(const struct program *program)
{
    static struct state state;
    memset(&state, 0, sizeof state);
    memset(state.robust_owner, -1, sizeof state.robust_owner);
    for (unsigned i = 0; i < program->n; i++) {
        const struct operation *operation = &program->operations[i];
        /* Each operation has a time of its own: what others learnt of an earlier one does not
           cover this one. */
        state.thread[operation->thread].time[operation->thread]++;
        if (operation->kind <= CAS)
            access_memory(&state, operation);
        else if (operation->kind <= JOIN)
            synchronise(&state, operation);
        else if (operation->kind <= REPLACE)
            call(&state, operation);
        else
            operate(&state, operation);
    }
    return state.racy;
}
