/*
 * interpret.c - carries out the program whose seed is on standard input. Built with Stalemate.
 *
 * Each pool is a variable of its own name, and each kind of access of it a place of its own in
 * the source, so that the instrumentation sees what it would see in a program written by hand.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpret.h"

static _Alignas(POOL_SIZE) unsigned char pool0[POOL_SIZE], pool1[POOL_SIZE], pool2[POOL_SIZE];
static unsigned char *pool3;
static pthread_mutex_t locks[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlocks[LOCKS] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static struct program program;

/* An atomic operation with its order as a constant. */
#define BY_ORDER(order, X)                                                                         \
    switch (order) {                                                                               \
    case RELAXED:                                                                                  \
        X(__ATOMIC_RELAXED);                                                                       \
        break;                                                                                     \
    case ACQUIRE:                                                                                  \
        X(__ATOMIC_ACQUIRE);                                                                       \
        break;                                                                                     \
    case RELEASE:                                                                                  \
        X(__ATOMIC_RELEASE);                                                                       \
        break;                                                                                     \
    case ACQ_REL:                                                                                  \
        X(__ATOMIC_ACQ_REL);                                                                       \
        break;                                                                                     \
    default:                                                                                       \
        X(__ATOMIC_SEQ_CST);                                                                       \
    }
#define BY_LOAD_ORDER(order, X)                                                                    \
    switch (order) {                                                                               \
    case RELAXED:                                                                                  \
        X(__ATOMIC_RELAXED);                                                                       \
        break;                                                                                     \
    case ACQUIRE:                                                                                  \
        X(__ATOMIC_ACQUIRE);                                                                       \
        break;                                                                                     \
    default:                                                                                       \
        X(__ATOMIC_SEQ_CST);                                                                       \
    }
#define BY_STORE_ORDER(order, X)                                                                   \
    switch (order) {                                                                               \
    case RELAXED:                                                                                  \
        X(__ATOMIC_RELAXED);                                                                       \
        break;                                                                                     \
    case RELEASE:                                                                                  \
        X(__ATOMIC_RELEASE);                                                                       \
        break;                                                                                     \
    default:                                                                                       \
        X(__ATOMIC_SEQ_CST);                                                                       \
    }

/* The value counts as used. */
#define USE(value) __asm__ volatile("" ::"r"((uint64_t)(value)))

#define DO_LOAD(order) USE(__atomic_load_n(at, order))
#define DO_STORE(order) __atomic_store_n(at, 1, order)
#define DO_ADD(order) __atomic_fetch_add(at, 1, order)
#define DO_CAS_RELAXED(order) __atomic_compare_exchange_n(at, &old, 1, 0, order, __ATOMIC_RELAXED)
#define DO_CAS_ACQUIRE(order) __atomic_compare_exchange_n(at, &old, 1, 0, order, __ATOMIC_ACQUIRE)
#define DO_CAS_SEQ_CST(order) __atomic_compare_exchange_n(at, &old, 1, 0, order, __ATOMIC_SEQ_CST)

#define BY_FAILURE(operation)                                                                      \
    switch ((operation)->failure) {                                                                \
    case RELAXED:                                                                                  \
        BY_ORDER((operation)->order, DO_CAS_RELAXED)                                               \
        break;                                                                                     \
    case ACQUIRE:                                                                                  \
        BY_ORDER((operation)->order, DO_CAS_ACQUIRE)                                               \
        break;                                                                                     \
    default:                                                                                       \
        BY_ORDER((operation)->order, DO_CAS_SEQ_CST)                                               \
    }

/* At any address. */
#define UNALIGNED __attribute__((aligned(1)))
typedef unsigned __int128 wide UNALIGNED;
typedef uint64_t word8 UNALIGNED;
typedef uint32_t word4 UNALIGNED;
typedef uint16_t word2 UNALIGNED;

/* Of one pool and one size. */
#define PLAIN(pool, type)                                                                          \
    if (operation->kind == LOAD)                                                                   \
        USE(*(type *)(pool + operation->offset));                                                  \
    else                                                                                           \
        *(type *)(pool + operation->offset) = 1

#define WIDE(pool)                                                                                 \
    if (operation->kind == LOAD) {                                                                 \
        wide value = *(wide *)(pool + operation->offset);                                          \
        USE(value);                                                                                \
        USE(value >> 64);                                                                          \
    } else                                                                                         \
        *(wide *)(pool + operation->offset) = 1

#define ATOMIC(pool, type)                                                                         \
    do {                                                                                           \
        type *at = (type *)(pool + operation->offset);                                             \
        type old = expected(at, sizeof *at, operation->flag);                                      \
        if (operation->kind == ATOMIC_LOAD)                                                        \
            BY_LOAD_ORDER(operation->order, DO_LOAD)                                               \
        else if (operation->kind == ATOMIC_STORE)                                                  \
            BY_STORE_ORDER(operation->order, DO_STORE)                                             \
        else if (operation->kind == ADD)                                                           \
            BY_ORDER(operation->order, DO_ADD)                                                     \
        else                                                                                       \
            BY_FAILURE(operation)                                                                  \
    } while (0)

/* Looks at memory behind the instrumentation's back: the value is nobody's access. */
static uint64_t expected(const void *at, unsigned size, bool right)
{
    uint64_t value = 0;
    __asm__ volatile("" : "+r"(at));
    turn_peek(&value, at, size);
    return right ? value : value + 1;
}

#define ACCESS(name, pool)                                                                         \
    static void name(const struct operation *operation)                                            \
    {                                                                                              \
        static const unsigned char zeros[POOL_SIZE];                                               \
        if (operation->kind == FILL)                                                               \
            memset(pool + operation->offset, 0, operation->size);                                  \
        else if (operation->kind == COPY)                                                          \
            memcpy(pool + operation->offset, zeros, operation->size);                              \
        else if (operation->kind <= STORE && operation->size == 16)                                \
            WIDE(pool);                                                                            \
        else if (operation->kind <= STORE && operation->size == 8)                                 \
            PLAIN(pool, word8);                                                                    \
        else if (operation->kind <= STORE && operation->size == 4)                                 \
            PLAIN(pool, word4);                                                                    \
        else if (operation->kind <= STORE && operation->size == 2)                                 \
            PLAIN(pool, word2);                                                                    \
        else if (operation->kind <= STORE)                                                         \
            PLAIN(pool, uint8_t);                                                                  \
        else if (operation->size == 8)                                                             \
            ATOMIC(pool, uint64_t);                                                                \
        else if (operation->size == 4)                                                             \
            ATOMIC(pool, uint32_t);                                                                \
        else if (operation->size == 2)                                                             \
            ATOMIC(pool, uint16_t);                                                                \
        else                                                                                       \
            ATOMIC(pool, uint8_t);                                                                 \
    }
ACCESS(access0, pool0)
ACCESS(access1, pool1)
ACCESS(access2, pool2)
ACCESS(access3, pool3)

static void access_memory(const struct operation *operation)
{
    static void (*const by_pool[POOLS])(const struct operation *) = {access0, access1, access2,
                                                                     access3};
    by_pool[operation->pool](operation);
}

static void fence(unsigned order)
{
    switch (order) {
    case ACQUIRE:
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        break;
    case RELEASE:
        __atomic_thread_fence(__ATOMIC_RELEASE);
        break;
    case ACQ_REL:
        __atomic_thread_fence(__ATOMIC_ACQ_REL);
        break;
    default:
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}

static int create(unsigned thread);

static int synchronise(const struct operation *operation)
{
    unsigned object = operation->object;
    switch (operation->kind) {
    case LOCK:
        return pthread_mutex_lock(&locks[object]);
    case UNLOCK:
        return pthread_mutex_unlock(&locks[object]);
    case READ_LOCK:
        return pthread_rwlock_rdlock(&rwlocks[object]);
    case WRITE_LOCK:
        return pthread_rwlock_wrlock(&rwlocks[object]);
    case READ_UNLOCK:
    case WRITE_UNLOCK:
        return pthread_rwlock_unlock(&rwlocks[object]);
    case CREATE:
        return create(object);
    default: /* JOIN */
        return pthread_join(handle_of(object), NULL);
    }
}

static void carry_out(const struct operation *operation)
{
    if (operation->kind <= CAS)
        access_memory(operation);
    else if (operation->kind == FENCE)
        fence(operation->order);
    else if (operation->kind == FREE)
        free(pool3);
    else if (operation->kind > LAST)
        operate(operation);
    else if (operation->kind > JOIN)
        call(operation);
    else if (synchronise(operation) != 0)
        abort();
}

/* In the child of a fork. */
void write_all_pools(bool freed)
{
    for (uint8_t pool = 0; pool < (freed ? HEAP_POOL : POOLS); pool++)
        access_memory(&(struct operation){.kind = FILL, .pool = pool, .size = POOL_SIZE});
}

/* ---- threads ---- */

static _Thread_local unsigned self, next;
static pthread_t handles[THREADS];
static pid_t ids[THREADS];

void carry_on(void)
{
    while (next < program.n) {
        const struct operation *operation = &program.operations[next++];
        if (operation->thread != self)
            continue;
        turn_await(next - 1);
        if (operation->kind == RETURN)
            return;
        if (operation->kind != LAST)
            carry_out(operation);
        pass_turn();
    }
}

void pass_turn(void)
{
    turn_pass(next);
}

static void *run(void *number)
{
    pid_t id = gettid();
    self = (unsigned)(uintptr_t)number;
    turn_peek(&ids[self], &id, sizeof id);
    carry_on();
    return NULL;
}

static int create(unsigned thread)
{
    pthread_t handle;
    int error = pthread_create(&handle, NULL, run, (void *)(uintptr_t)thread);
    turn_peek(&handles[thread], &handle, sizeof handle);
    return error;
}

pthread_t handle_of(unsigned thread)
{
    pthread_t handle;
    turn_peek(&handle, &handles[thread], sizeof handle);
    return handle;
}

pid_t id_of(unsigned thread)
{
    pid_t id;
    turn_peek(&id, &ids[thread], sizeof id);
    return id;
}

int main(void)
{
    unsigned long seed;
    pthread_t initial = pthread_self();
    if (scanf("%lu", &seed) != 1)
        return 2;
    generate(&program, seed);
    pool3 = aligned_alloc(POOL_SIZE, POOL_SIZE);
    if (!pool3)
        return 2;
    memset(pool3, 0, POOL_SIZE);
    turn_peek(&handles[0], &initial, sizeof initial);
    open_channels();
    initialise_objects();
    run((void *)0);
    return 0;
}
