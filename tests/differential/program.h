/*
 * program.h - small random multithreaded programs, as lists of operations.
 *
 * A list is one execution as well: its operations are carried out in its order, each by its
 * thread, so what happens before what follows from the list alone. The interpreter
 * (interpret.c) carries a list out on real memory with real threads, built with Stalemate in
 * either flavour; the reference (reference.c) says from the list which pools of memory it
 * races on. Whatever seed, the two must agree.
 *
 * No operation ever waits: a lock is taken only when it is free, a thread joined only when
 * it has no operations left. Operations of all sizes overlap as they like, but two atomic
 * ones do so only if they are of the same place and size: what other mixtures synchronise is
 * for tests/races to say, case by case.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { THREADS = 4, POOLS = 4, POOL_SIZE = 16, LOCKS = 2, MOST_OPERATIONS = 96 };
/* The last pool is a heap block, which may be freed; it is only read after that. */
enum { HEAP_POOL = POOLS - 1 };

enum kind {
    LOAD,
    STORE,
    FILL, /* memset */
    COPY, /* memcpy to the pool */
    ATOMIC_LOAD,
    ATOMIC_STORE,
    ADD,
    CAS, /* succeeds if `flag` */
    FENCE,
    LOCK,
    UNLOCK,
    READ_LOCK,
    READ_UNLOCK,
    WRITE_LOCK,
    WRITE_UNLOCK,
    FREE,
    CREATE, /* thread `object` */
    JOIN,
    KINDS
};

enum order { RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, ORDERS };

struct operation {
    uint8_t kind, thread;
    uint8_t pool, offset, size;
    uint8_t order, failure; /* CAS: order if it fails */
    uint8_t object;
    bool flag;
};

struct program {
    struct operation operations[MOST_OPERATIONS];
    unsigned n;
};

void generate(struct program *program, uint64_t seed);

/* One bit for each pool that the list races on. Later stores of a thread go on with the release
   sequence of its release store, as RC11 has it and C++20 has not. */
unsigned racy_pools(const struct program *program);

/* turn.c, built without Stalemate: the order is kept, and orders nothing. */
void turn_await(unsigned turn);
void turn_pass(unsigned turn);
void turn_peek(void *to, const void *from, unsigned size);

#endif
