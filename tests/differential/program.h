/*
 * program.h - small random multithreaded programs, as lists of operations.
 *
 * A list is one execution as well: its operations are carried out in its order, each by its
 * thread, so what happens before what follows from the list alone. The interpreter
 * (interpret.c) carries a list out on real memory with real threads, built with Stalemate in
 * either flavour; the reference (reference.c) says from the list which places it races on: pools
 * of memory, synchronisation objects and file descriptors. Whatever seed, the two must agree.
 *
 * No operation ever waits for a thread: a lock is taken only when it is free, a thread joined only
 * when it has no operations left, a message read only when there is one, a signal taken only when
 * it is pending. What is not defined here, and why:
 *
 * - Operations of all sizes overlap as they like, but two atomic ones do so only if they are of the
 *   same place and size: what other mixtures synchronise is for tests/races to say, case by case.
 * - Who reads a message is ordered after all who wrote to the object before, which is more than the
 *   sender of this message; a signal's number, all sockets, all event descriptors and all child
 *   processes are one object each (docs/memory-models.md). So it is in the reference, too: that an
 *   edge is missing is found, that there is one more from object to object, and that one of these
 *   objects orders more than that, but not which of its messages was read.
 * - No signal is sent to a thread that is handling the same one: whether the handler then runs once
 *   more at once depends on how it was taken. Every signal is taken before its thread ends: whether
 *   a thread that has no operations left still gets one is a matter of time.
 * - A mutex that cannot be recovered is locked, but not tried: glibc's trylock leaves it locked,
 * for ever.
 * - A child process sends no messages: when they arrive is a matter of time. It accesses only its
 *   copy of the memory, which nothing in the parent races with.
 * - A descriptor is a new one once it is replaced: what was done with the old one of its number is
 *   ordered with the dup2 or races with it, and with nothing later (core/libc/descriptors.h).
 * - Objects are initialised only if they are not, and used and destroyed only if they are, and not
 *   held: anything else is misuse, which is reported as that (docs/kinds.md).
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { THREADS = 4, POOLS = 4, POOL_SIZE = 16, LOCKS = 2, MOST_OPERATIONS = 160 };
/* The last pool is a heap block, which may be freed; it is only read after that. */
enum { HEAP_POOL = POOLS - 1 };
enum { SIGNALS = 2, CHILDREN = 2, DESCRIPTORS = 2 };
/* The number of the first of those that are closed and replaced, whatever others are open. */
enum { FIRST_DESCRIPTOR = 60 };

/* That are initialised and destroyed. They are initialised when the program begins. */
enum object { MUTEX, RWLOCK, SPIN, COND, BARRIER, SEMAPHORE, ROBUST, ROBUST_TOO, OBJECTS };

/* What messages go through; the sockets are one object in happens-before. */
enum channel { PIPE, PIPE_TOO, SOCKETS, SOCKETS_TOO, COUNTER, CHANNELS };

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
    JOIN,   /* thread `object`, which may hold robust mutexes */
    HANDLE, /* sigaction for `signal` */
    SEND,   /* `signal` to thread `object`, by the call `way` */
    TAKE,   /* the handler of `signal` begins: what its thread does up to RETURN is in it */
    RETURN,
    ACCEPT, /* takes `signal` without its handler, by sigtimedwait */
    FORK, /* child `object`, which writes to all pools (not to the freed one, if `flag`) and ends */
    WAIT, /* for child `object` */
    WRITE_MESSAGE, /* to channel `object` */
    READ_MESSAGE,
    USE_DESCRIPTOR, /* `object`, by the call `way`; `flag`: it is closed */
    CLOSE,          /* also if it is closed */
    REPLACE,        /* by dup2 */
    LAST,           /* does nothing: the thread has been there until now, and may end */
    ROBUST_LOCK,    /* with `result`; `flag`: by trylock */
    ROBUST_UNLOCK,
    CONSISTENT,
    INIT,
    DESTROY,
    USE, /* locks and unlocks, signals, arrives; `flag`: to read, or to post */
    KINDS
};

enum order { RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, ORDERS };
enum result { TAKEN, OWNER_DIED, NOT_RECOVERABLE, BUSY }; /* BUSY: by trylock */
/* Calls that send a signal, take one, use a descriptor. */
enum sending { BY_KILL, BY_QUEUE, BY_TGKILL, SENDINGS };
enum taking { BY_SUSPENSION, BY_MASK, TAKINGS };
enum use { BY_WRITE, BY_DUP, BY_FCNTL, DESCRIPTOR_USES };

struct operation {
    uint8_t kind, thread;
    uint8_t pool, offset, size;
    uint8_t order, failure; /* CAS: order if it fails */
    uint8_t object, signal;
    uint8_t way, result;
    bool flag;
};

struct program {
    struct operation operations[MOST_OPERATIONS];
    unsigned n;
};

void generate(struct program *program, uint64_t seed);

/* Places that can be raced on, one bit each; OTHER_PLACE: whatever is not one of them. */
enum place {
    FIRST_POOL,
    FIRST_OBJECT = FIRST_POOL + POOLS,
    FIRST_FILE = FIRST_OBJECT + OBJECTS,
    PLACES = FIRST_FILE + DESCRIPTORS,
    OTHER_PLACE
};

/* One bit for each place that the list races on. Later stores of a thread go on with the release
   sequence of its release store, as RC11 has it and C++20 has not. */
unsigned racy_places(const struct program *program);

/* turn.c, built without Stalemate: the order is kept, and orders nothing. */
void turn_await(unsigned turn);
void turn_pass(unsigned turn);
/* Copies; nobody's access. */
void turn_peek(void *to, const void *from, unsigned size);

#endif
