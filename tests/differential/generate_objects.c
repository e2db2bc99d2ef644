/*
 * generate_objects.c - robust mutexes, and objects that are initialised and destroyed.
 */
#include "generate.h"

static void add_for(struct state *state, unsigned thread, unsigned object, enum kind kind)
{
    add(state, (struct operation){
                   .kind = (uint8_t)kind, .thread = (uint8_t)thread, .object = (uint8_t)object});
}

static void renew(struct state *state, unsigned thread, unsigned object)
{
    state->destroyed[object] = !state->destroyed[object];
    state->inconsistent[object] = state->lost[object] = false;
    if (object == SEMAPHORE)
        state->posted = 0;
    add_for(state, thread, object, state->destroyed[object] ? DESTROY : INIT);
}

/* ---- robust mutexes ---- */

static enum result result_of_lock(const struct state *state, unsigned mutex)
{
    if (state->lost[mutex])
        return NOT_RECOVERABLE;
    if (state->robust_owner[mutex] >= 0)
        return BUSY;
    return state->inconsistent[mutex] ? OWNER_DIED : TAKEN;
}

static void lock(struct state *state, unsigned thread, unsigned mutex)
{
    struct operation operation = {.kind = ROBUST_LOCK,
                                  .thread = (uint8_t)thread,
                                  .object = (uint8_t)mutex,
                                  .result = (uint8_t)result_of_lock(state, mutex)};
    operation.flag =
        operation.result == BUSY || (operation.result != NOT_RECOVERABLE && below(state, 2));
    if (operation.result == TAKEN || operation.result == OWNER_DIED)
        state->robust_owner[mutex] = (int)thread;
    add(state, operation);
    use_guarded(state, thread, BY_ROBUST);
}

static void unlock(struct state *state, unsigned thread, unsigned mutex)
{
    state->robust_owner[mutex] = -1;
    state->lost[mutex] = state->inconsistent[mutex];
    add_for(state, thread, mutex, ROBUST_UNLOCK);
}

/* One that its owner's death has left inconsistent is mostly made consistent. */
static void let_go_of(struct state *state, unsigned thread, unsigned mutex)
{
    if (state->inconsistent[mutex] && below(state, 4)) {
        state->inconsistent[mutex] = false;
        add_for(state, thread, mutex, CONSISTENT);
    } else {
        unlock(state, thread, mutex);
    }
}

void robust(struct state *state, unsigned thread)
{
    unsigned mutex = ROBUST + below(state, 2);
    bool is_free = state->robust_owner[mutex] < 0;
    if (state->destroyed[mutex] || (is_free && !below(state, state->lost[mutex] ? 4 : 16)))
        renew(state, thread, mutex);
    else if (state->robust_owner[mutex] == (int)thread)
        let_go_of(state, thread, mutex);
    else if (is_free || !below(state, 4))
        lock(state, thread, mutex);
    else if (!below(state, 3)) /* its owner dies */
        join(state, thread, (unsigned)state->robust_owner[mutex]);
}

void leave_robust(struct state *state, unsigned thread)
{
    for (unsigned mutex = ROBUST; mutex <= ROBUST_TOO; mutex++)
        if (state->robust_owner[mutex] == (int)thread && below(state, 2))
            unlock(state, thread, mutex);
}

void die_with_robust(struct state *state, unsigned thread)
{
    for (unsigned mutex = ROBUST; mutex <= ROBUST_TOO; mutex++) {
        if (state->robust_owner[mutex] != (int)thread)
            continue;
        state->robust_owner[mutex] = -1;
        state->inconsistent[mutex] = true;
    }
}

/* ---- initialised and destroyed ---- */

static void semaphore(struct state *state, unsigned thread)
{
    bool posts = !state->posted || below(state, 2);
    add(state, (struct operation){
                   .kind = USE, .thread = (uint8_t)thread, .object = SEMAPHORE, .flag = posts});
    if (posts) {
        state->posted++;
        give_tokens(state, thread, WITH_SEMAPHORE);
    } else {
        state->posted--;
        take_tokens(state, thread, WITH_SEMAPHORE);
    }
}

void objects(struct state *state, unsigned thread)
{
    unsigned object = below(state, OBJECTS);
    if (object >= ROBUST)
        robust(state, thread);
    else if (state->destroyed[object] || !below(state, 12))
        renew(state, thread, object);
    else if (object == SEMAPHORE)
        semaphore(state, thread);
    else
        add(state, (struct operation){.kind = USE,
                                      .thread = (uint8_t)thread,
                                      .object = (uint8_t)object,
                                      .flag = below(state, 2)});
}
