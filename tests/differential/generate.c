#include <string.h>

#include "../../base/random.h"
#include "program.h"

/* What is so after the operations so far. */
struct state {
    struct program *program;
    struct sm_random random;
    bool alive[THREADS], created[THREADS];
    int owner[LOCKS]; /* thread, or -1 */
    int writer[LOCKS];
    bool reader[LOCKS][THREADS];
    bool freed;
    bool disciplined;             /* nearly every plain access is under the lock of its pool */
    bool plain[POOLS][POOL_SIZE]; /* newest store is not atomic */
};

static unsigned below(struct state *state, unsigned n)
{
    return (unsigned)(sm_random_next(&state->random) % n);
}

static void note_store(struct state *state, const struct operation *operation)
{
    if (operation->kind == ATOMIC_STORE || (operation->kind >= STORE && operation->kind <= COPY))
        memset(&state->plain[operation->pool][operation->offset], operation->kind != ATOMIC_STORE,
               operation->size);
}

static void add(struct state *state, struct operation operation)
{
    note_store(state, &operation);
    state->program->operations[state->program->n++] = operation;
}

static unsigned some_thread(struct state *state)
{
    unsigned thread;
    do
        thread = below(state, THREADS);
    while (!state->alive[thread]);
    return thread;
}

/* ---- memory ---- */

static void plain(struct state *state, unsigned thread)
{
    struct operation operation = {.kind = (uint8_t)below(state, COPY + 1),
                                  .thread = (uint8_t)thread,
                                  .pool = (uint8_t)below(state, POOLS)};
    if (state->disciplined && state->owner[operation.pool % LOCKS] != (int)thread &&
        below(state, 32))
        return;
    operation.size = operation.kind <= STORE ? (uint8_t)(1u << below(state, 5))
                                             : (uint8_t)(1 + below(state, POOL_SIZE));
    operation.offset = (uint8_t)below(state, POOL_SIZE - operation.size + 1u);
    if (operation.pool == HEAP_POOL && state->freed)
        operation.kind = LOAD, operation.size = 1;
    add(state, operation);
}

/* The atomic variables of a pool: 8 bytes, 4, 2, 1 and 1, each at its place. */
static void place_atomic(struct state *state, struct operation *operation)
{
    static const uint8_t offsets[] = {0, 8, 12, 14, 15}, sizes[] = {8, 4, 2, 1, 1};
    unsigned which = below(state, 5);
    operation->offset = offsets[which];
    operation->size = sizes[which];
    operation->pool = (uint8_t)below(state, state->freed ? HEAP_POOL : POOLS);
}

/* A store that is not atomic ends a release sequence where it is seen, which only an
   execution with a race can tell: here no atomic operation reads from one. */
static bool reads_plain(const struct state *state, const struct operation *operation)
{
    return operation->kind != ATOMIC_STORE &&
           memchr(&state->plain[operation->pool][operation->offset], true, operation->size);
}

static void atomic(struct state *state, unsigned thread)
{
    static const uint8_t load_orders[] = {RELAXED, ACQUIRE, SEQ_CST};
    static const uint8_t store_orders[] = {RELAXED, RELEASE, SEQ_CST};
    struct operation operation = {.kind = (uint8_t)(ATOMIC_LOAD + below(state, 4)),
                                  .thread = (uint8_t)thread,
                                  .flag = below(state, 2)};
    place_atomic(state, &operation);
    if (reads_plain(state, &operation))
        operation.kind = ATOMIC_STORE;
    operation.failure = load_orders[below(state, 3)];
    operation.order = operation.kind == ATOMIC_LOAD    ? operation.failure
                      : operation.kind == ATOMIC_STORE ? store_orders[below(state, 3)]
                                                       : (uint8_t)below(state, ORDERS);
    add(state, operation);
}

static void fence(struct state *state, unsigned thread)
{
    add(state, (struct operation){.kind = FENCE,
                                  .thread = (uint8_t)thread,
                                  .order = (uint8_t)(ACQUIRE + below(state, SEQ_CST))});
}

static void free_heap(struct state *state, unsigned thread)
{
    if (state->freed || below(state, 8))
        return;
    state->freed = true;
    add(state, (struct operation){.kind = FREE, .thread = (uint8_t)thread});
}

/* ---- locks ---- */

static void lock(struct state *state, unsigned thread, unsigned object)
{
    struct operation operation = {.thread = (uint8_t)thread, .object = (uint8_t)object};
    if (state->owner[object] >= 0 && state->owner[object] != (int)thread)
        return;
    operation.kind = state->owner[object] < 0 ? LOCK : UNLOCK;
    state->owner[object] = operation.kind == LOCK ? (int)thread : -1;
    add(state, operation);
}

static bool is_read(const struct state *state, unsigned object)
{
    bool read = false;
    for (unsigned i = 0; i < THREADS; i++)
        read |= state->reader[object][i];
    return read;
}

static void rwlock(struct state *state, unsigned thread, unsigned object)
{
    struct operation operation = {.thread = (uint8_t)thread, .object = (uint8_t)object};
    if (state->reader[object][thread]) {
        operation.kind = READ_UNLOCK;
        state->reader[object][thread] = false;
    } else if (state->writer[object] == (int)thread) {
        operation.kind = WRITE_UNLOCK;
        state->writer[object] = -1;
    } else if (state->writer[object] >= 0) {
        return;
    } else if (!is_read(state, object) && below(state, 2)) {
        operation.kind = WRITE_LOCK;
        state->writer[object] = (int)thread;
    } else {
        operation.kind = READ_LOCK;
        state->reader[object][thread] = true;
    }
    add(state, operation);
}

static void let_go(struct state *state, unsigned thread)
{
    for (unsigned i = 0; i < LOCKS; i++) {
        if (state->owner[i] == (int)thread)
            lock(state, thread, i);
        if (state->writer[i] == (int)thread || state->reader[i][thread])
            rwlock(state, thread, i);
    }
}

/* ---- threads ---- */

static void create(struct state *state, unsigned thread)
{
    for (unsigned i = 1; i < THREADS; i++) {
        if (state->created[i])
            continue;
        state->created[i] = state->alive[i] = true;
        add(state,
            (struct operation){.kind = CREATE, .thread = (uint8_t)thread, .object = (uint8_t)i});
        return;
    }
}

static void join(struct state *state, unsigned thread, unsigned other)
{
    if (other == 0 || other == thread || !state->alive[other])
        return;
    let_go(state, other);
    state->alive[other] = false;
    add(state,
        (struct operation){.kind = JOIN, .thread = (uint8_t)thread, .object = (uint8_t)other});
}

/* ---- all of it ---- */

static void step(struct state *state)
{
    unsigned thread = some_thread(state), what = below(state, 100);
    if (what < 45)
        plain(state, thread);
    else if (what < 65)
        atomic(state, thread);
    else if (what < 72)
        fence(state, thread);
    else if (what < 84)
        lock(state, thread, below(state, LOCKS));
    else if (what < 92)
        rwlock(state, thread, below(state, LOCKS));
    else if (what < 94)
        free_heap(state, thread);
    else if (what < 98)
        create(state, thread);
    else
        join(state, thread, below(state, THREADS));
}

void generate(struct program *program, uint64_t seed)
{
    struct state state = {.program = program, .random = sm_random_seed(seed, 3)};
    memset(program, 0, sizeof *program);
    memset(state.owner, -1, sizeof state.owner);
    memset(state.writer, -1, sizeof state.writer);
    state.created[0] = state.alive[0] = true;
    create(&state, 0);
    create(&state, 0);
    state.disciplined = below(&state, 4);
    unsigned length = 10 + below(&state, MOST_OPERATIONS - 50);
    while (program->n < length)
        step(&state);
    for (unsigned i = 1; i < THREADS; i++)
        join(&state, 0, i);
    let_go(&state, 0);
}
