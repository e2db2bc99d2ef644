/*
 * generate.h - what the parts of the generator share: see program.h for what they make.
 *
 * Three programs of four are disciplined: nearly all accesses of a pool keep to its guard, so that
 * a race is found only if there is one, and not because all pools are racy anyway. One guard is a
 * token: the thread that has it may access the pool, and it moves where happens-before does.
 */
#ifndef GENERATE_H
#define GENERATE_H

#include "../../base/random.h"
#include "program.h"

enum guard { BY_LOCK, BY_ROBUST, BY_TOKEN, BY_ATOMICS, GUARDS };

/* Who has a token: a thread, or where it waits for one. */
enum holder {
    WITH_CHANNEL = THREADS,
    WITH_SIGNAL = WITH_CHANNEL + CHANNELS,
    WITH_CHILDREN = WITH_SIGNAL + SIGNALS,
    WITH_SEMAPHORE
};

enum feature {
    USES_SIGNALS,
    USES_CHILDREN,
    USES_ROBUST,
    USES_MESSAGES,
    USES_DESCRIPTORS,
    USES_OBJECTS,
    FEATURES
};

/* What is so after the operations so far. */
struct state {
    struct program *program;
    struct sm_random random;
    bool alive[THREADS], created[THREADS];
    bool ran[THREADS]; /* it has made an operation */
    int owner[LOCKS];  /* thread, or -1 */
    int writer[LOCKS];
    bool reader[LOCKS][THREADS];
    bool freed;
    bool plain[POOLS][POOL_SIZE]; /* newest store is not atomic */

    bool disciplined;
    uint8_t guard[POOLS], token[POOLS];

    uint8_t features[FEATURES]; /* those that the program has */
    unsigned n_features;
    bool handled[SIGNALS], pending[THREADS][SIGNALS];
    int handling[THREADS]; /* a signal, or -1 */
    bool forked[CHILDREN], awaited[CHILDREN];
    unsigned messages[CHANNELS], posted;
    bool destroyed[OBJECTS], closed[DESCRIPTORS];
    int robust_owner[OBJECTS];
    bool inconsistent[OBJECTS], lost[OBJECTS]; /* robust mutexes */
};

unsigned below(struct state *state, unsigned n);
void add(struct state *state, struct operation operation);
/* The tokens of the thread, some of them, go to the holder; all that are there come from it. */
void give_tokens(struct state *state, unsigned thread, unsigned holder);
void take_tokens(struct state *state, unsigned thread, unsigned holder);

/* Some accesses of pools whose guard, of this kind, the thread has. */
void use_guarded(struct state *state, unsigned thread, enum guard guard);
/* If the other is alive, and not the first or the same. */
void join(struct state *state, unsigned thread, unsigned other);

/* generate_calls.c: one operation of the thread, or none if there is none to make now. */
void signals(struct state *state, unsigned thread);
void children(struct state *state, unsigned thread);
void messages(struct state *state, unsigned thread);
void descriptors(struct state *state, unsigned thread);
/* Ends the handler that the thread is in, if any. */
void leave_handler(struct state *state, unsigned thread);
/* Takes what is pending; waits for the children. */
void take_signals(struct state *state, unsigned thread);
void wait_for_children(struct state *state, unsigned thread);

/* generate_objects.c */
void robust(struct state *state, unsigned thread);
void objects(struct state *state, unsigned thread);
/* The thread ends, or leaves the robust mutexes; some it keeps. */
void die_with_robust(struct state *state, unsigned thread);
void leave_robust(struct state *state, unsigned thread);

#endif
