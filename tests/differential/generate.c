#include <stdlib.h>
#include <string.h>

#include "generate.h"

unsigned below(struct state *state, unsigned n)
{
    return (unsigned)(sm_random_next(&state->random) % n);
}

static void note_store(struct state *state, const struct operation *operation)
{
    if (operation->kind == ATOMIC_STORE || (operation->kind >= STORE && operation->kind <= COPY))
        memset(&state->plain[operation->pool][operation->offset], operation->kind != ATOMIC_STORE,
               operation->size);
}

void add(struct state *state, struct operation operation)
{
    if (state->program->n == MOST_OPERATIONS)
        abort();
    note_store(state, &operation);
    state->ran[operation.thread] = true;
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

/* ---- guards ---- */

void give_tokens(struct state *state, unsigned thread, unsigned holder)
{
    for (unsigned pool = 0; pool < POOLS; pool++)
        if (state->token[pool] == thread && below(state, 2))
            state->token[pool] = (uint8_t)holder;
}

static bool keeps_to_guard(const struct state *state, unsigned thread, unsigned pool, bool atomic)
{
    switch ((enum guard)state->guard[pool]) {
    case BY_LOCK:
        return state->owner[pool % LOCKS] == (int)thread;
    case BY_ROBUST:
        return state->robust_owner[ROBUST + pool % 2] == (int)thread;
    case BY_TOKEN:
        return state->token[pool] == thread;
    default: /* BY_ATOMICS */
        return atomic;
    }
}

static bool may_access(struct state *state, unsigned thread, unsigned pool, bool atomic)
{
    return !state->disciplined || keeps_to_guard(state, thread, pool, atomic) || !below(state, 64);
}

/* ---- memory ---- */

static void plain_of(struct state *state, unsigned thread, unsigned pool)
{
    struct operation operation = {
        .kind = (uint8_t)below(state, COPY + 1), .thread = (uint8_t)thread, .pool = (uint8_t)pool};
    operation.size = operation.kind <= STORE ? (uint8_t)(1u << below(state, 5))
                                             : (uint8_t)(1 + below(state, POOL_SIZE));
    operation.offset = (uint8_t)below(state, POOL_SIZE - operation.size + 1u);
    if (pool == HEAP_POOL && state->freed)
        operation.kind = LOAD, operation.size = 1;
    add(state, operation);
}

static void plain(struct state *state, unsigned thread)
{
    unsigned pool = below(state, POOLS);
    if (may_access(state, thread, pool, false))
        plain_of(state, thread, pool);
}

void use_guarded(struct state *state, unsigned thread, enum guard guard)
{
    for (unsigned pool = 0; pool < POOLS; pool++)
        if (state->disciplined && state->guard[pool] == guard &&
            keeps_to_guard(state, thread, pool, false) && below(state, 2))
            plain_of(state, thread, pool);
}

void take_tokens(struct state *state, unsigned thread, unsigned holder)
{
    for (unsigned pool = 0; pool < POOLS; pool++)
        if (state->token[pool] == holder)
            state->token[pool] = (uint8_t)thread;
    use_guarded(state, thread, BY_TOKEN);
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
    if (!may_access(state, thread, operation.pool, true))
        return;
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
    if (state->freed || below(state, 8) || !may_access(state, thread, HEAP_POOL, false))
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
    take_signals(state, thread);
    leave_robust(state, thread);
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
        give_tokens(state, thread, i);
        return;
    }
}

void join(struct state *state, unsigned thread, unsigned other)
{
    if (other == 0 || other == thread || !state->alive[other])
        return;
    let_go(state, other);
    add(state, (struct operation){.kind = LAST, .thread = (uint8_t)other});
    die_with_robust(state, other);
    state->alive[other] = false;
    add(state,
        (struct operation){.kind = JOIN, .thread = (uint8_t)thread, .object = (uint8_t)other});
    take_tokens(state, thread, other);
}

/* ---- all of it ---- */

static void call(struct state *state, unsigned thread)
{
    static void (*const by_feature[FEATURES])(struct state *, unsigned) = {
        [USES_SIGNALS] = signals,   [USES_CHILDREN] = children,       [USES_ROBUST] = robust,
        [USES_MESSAGES] = messages, [USES_DESCRIPTORS] = descriptors, [USES_OBJECTS] = objects,
    };
    if (state->n_features)
        by_feature[state->features[below(state, state->n_features)]](state, thread);
}

static void access(struct state *state, unsigned thread, unsigned what)
{
    if (what < 45)
        plain(state, thread);
    else if (what < 65)
        atomic(state, thread);
    else
        fence(state, thread);
}

/* What a handler does: accesses, and calls that are async-signal-safe. */
static void step_in_handler(struct state *state, unsigned thread)
{
    unsigned what = below(state, 100);
    if (what < 72)
        access(state, thread, what);
    else if (what < 80)
        messages(state, thread);
    else
        signals(state, thread);
}

static void step(struct state *state)
{
    unsigned thread = some_thread(state), what = below(state, 100);
    if (state->handling[thread] >= 0)
        step_in_handler(state, thread);
    else if (below(state, 3) == 0)
        call(state, thread);
    else if (what < 72)
        access(state, thread, what);
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

/* A fork takes a millisecond: few programs have any. */
static void choose_features(struct state *state)
{
    for (unsigned feature = 0; feature < FEATURES; feature++)
        if (!below(state, feature == USES_CHILDREN ? 8 : 3))
            state->features[state->n_features++] = (uint8_t)feature;
}

/* A guard that nobody can have would keep all from the pool. */
static enum guard some_guard(struct state *state)
{
    enum guard guard = (enum guard)below(state, GUARDS);
    for (unsigned i = 0; guard == BY_ROBUST && i < state->n_features; i++)
        if (state->features[i] == USES_ROBUST || state->features[i] == USES_OBJECTS)
            return guard;
    return guard == BY_ROBUST ? BY_TOKEN : guard;
}

static void begin(struct state *state)
{
    memset(state->owner, -1, sizeof state->owner);
    memset(state->writer, -1, sizeof state->writer);
    memset(state->handling, -1, sizeof state->handling);
    memset(state->robust_owner, -1, sizeof state->robust_owner);
    state->created[0] = state->alive[0] = true;
    state->disciplined = below(state, 4);
    choose_features(state);
    for (unsigned pool = 0; pool < POOLS; pool++)
        state->guard[pool] = (uint8_t)some_guard(state);
}

static void end(struct state *state)
{
    for (unsigned i = 1; i < THREADS; i++)
        join(state, 0, i);
    let_go(state, 0);
    wait_for_children(state, 0);
}

/* Room for what is still to be let go, taken and joined. */
enum { LENGTH_AT_LEAST = 10, LENGTH_AT_MOST = 80 };

void generate(struct program *program, uint64_t seed)
{
    struct state state = {.program = program, .random = sm_random_seed(seed, 3)};
    memset(program, 0, sizeof *program);
    begin(&state);
    unsigned alone = below(&state, 4) ? 0 : below(&state, 8); /* operations of the first thread */
    unsigned length =
        LENGTH_AT_LEAST + alone + below(&state, LENGTH_AT_MOST - LENGTH_AT_LEAST - alone);
    for (unsigned i = 0; i < alone; i++)
        call(&state, 0);
    leave_handler(&state, 0);
    create(&state, 0);
    create(&state, 0);
    while (program->n < length)
        step(&state);
    end(&state);
}
