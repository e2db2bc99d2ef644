/*
 * generate_calls.c - signals, child processes, messages and descriptors.
 */
#include "generate.h"

/* ---- signals ---- */

static void handle(struct state *state, unsigned thread, unsigned signal)
{
    state->handled[signal] = true;
    add(state,
        (struct operation){.kind = HANDLE, .thread = (uint8_t)thread, .signal = (uint8_t)signal});
    give_tokens(state, thread, WITH_SIGNAL + signal);
}

/* A thread's kernel id is known once it runs. */
static void send(struct state *state, unsigned thread, unsigned signal)
{
    unsigned to = below(state, THREADS), way = below(state, SENDINGS);
    if (!state->alive[to] || state->handling[to] == (int)signal)
        return;
    if (way == BY_TGKILL && !state->ran[to])
        way = BY_KILL;
    state->pending[to][signal] = true;
    add(state, (struct operation){.kind = SEND,
                                  .thread = (uint8_t)thread,
                                  .object = (uint8_t)to,
                                  .signal = (uint8_t)signal,
                                  .way = (uint8_t)way});
    give_tokens(state, thread, WITH_SIGNAL + signal);
}

static void take(struct state *state, unsigned thread, unsigned signal)
{
    state->pending[thread][signal] = false;
    state->handling[thread] = (int)signal;
    add(state, (struct operation){.kind = TAKE,
                                  .thread = (uint8_t)thread,
                                  .signal = (uint8_t)signal,
                                  .way = (uint8_t)below(state, TAKINGS)});
    take_tokens(state, thread, WITH_SIGNAL + signal);
}

static void accept_signal(struct state *state, unsigned thread, unsigned signal)
{
    state->pending[thread][signal] = false;
    add(state,
        (struct operation){.kind = ACCEPT, .thread = (uint8_t)thread, .signal = (uint8_t)signal});
    take_tokens(state, thread, WITH_SIGNAL + signal);
}

void leave_handler(struct state *state, unsigned thread)
{
    if (state->handling[thread] < 0)
        return;
    state->handling[thread] = -1;
    add(state, (struct operation){.kind = RETURN, .thread = (uint8_t)thread});
}

void take_signals(struct state *state, unsigned thread)
{
    leave_handler(state, thread);
    for (unsigned signal = 0; signal < SIGNALS; signal++) {
        if (!state->pending[thread][signal])
            continue;
        if (!state->handled[signal])
            handle(state, thread, signal);
        take(state, thread, signal);
        leave_handler(state, thread);
    }
}

void signals(struct state *state, unsigned thread)
{
    unsigned signal = below(state, SIGNALS);
    bool handles = state->handling[thread] >= 0;
    if (handles && !below(state, 2))
        leave_handler(state, thread);
    else if (!handles && state->pending[thread][signal] && state->handled[signal])
        (below(state, 4) ? take : accept_signal)(state, thread, signal);
    else if (!handles && (!state->handled[signal] || !below(state, 8)))
        handle(state, thread, signal);
    else
        send(state, thread, signal);
}

/* ---- child processes ---- */

static void wait_for(struct state *state, unsigned thread, unsigned child)
{
    state->awaited[child] = true;
    add(state,
        (struct operation){.kind = WAIT, .thread = (uint8_t)thread, .object = (uint8_t)child});
    take_tokens(state, thread, WITH_CHILDREN);
}

void children(struct state *state, unsigned thread)
{
    unsigned child = below(state, CHILDREN);
    if (state->awaited[child])
        return;
    if (state->forked[child]) {
        wait_for(state, thread, child);
        return;
    }
    state->forked[child] = true;
    add(state, (struct operation){.kind = FORK,
                                  .thread = (uint8_t)thread,
                                  .object = (uint8_t)child,
                                  .flag = state->freed});
    give_tokens(state, thread, WITH_CHILDREN);
}

void wait_for_children(struct state *state, unsigned thread)
{
    for (unsigned child = 0; child < CHILDREN; child++)
        if (state->forked[child] && !state->awaited[child])
            wait_for(state, thread, child);
}

/* ---- messages ---- */

static unsigned object_of(unsigned channel)
{
    return WITH_CHANNEL + (channel == SOCKETS_TOO ? (unsigned)SOCKETS : channel);
}

void messages(struct state *state, unsigned thread)
{
    unsigned channel = below(state, CHANNELS), *n = &state->messages[channel];
    struct operation operation = {.thread = (uint8_t)thread, .object = (uint8_t)channel};
    operation.kind = *n && below(state, 2) ? READ_MESSAGE : WRITE_MESSAGE;
    if (operation.kind == WRITE_MESSAGE)
        ++*n;
    else
        *n = channel == COUNTER ? 0 : *n - 1; /* a counter is read as a whole */
    add(state, operation);
    if (operation.kind == WRITE_MESSAGE)
        give_tokens(state, thread, object_of(channel));
    else
        take_tokens(state, thread, object_of(channel));
}

/* ---- descriptors ---- */

void descriptors(struct state *state, unsigned thread)
{
    unsigned what = below(state, 16);
    struct operation operation = {.kind = USE_DESCRIPTOR,
                                  .thread = (uint8_t)thread,
                                  .object = (uint8_t)below(state, DESCRIPTORS),
                                  .way = (uint8_t)below(state, DESCRIPTOR_USES)};
    if (what == 0)
        operation.kind = CLOSE;
    else if (what == 1)
        operation.kind = REPLACE;
    if (operation.kind != USE_DESCRIPTOR)
        state->closed[operation.object] = operation.kind == CLOSE;
    operation.flag = state->closed[operation.object];
    add(state, operation);
}
