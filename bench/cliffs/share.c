/*
 * Memory that passes between threads: handed over by each kind of synchronisation, written by one
 * and read by many, shared falsely. A round is one turn of one thread.
 */
#include "cell.h"
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#define TOUCHES 16 /* in one turn, so that the turn is not all there is to see */
#define WORDS 256

struct of1 {
    uint64_t word[1];
};
struct of3 {
    uint64_t word[3];
};
struct of5 {
    uint64_t word[5];
};
struct of8 {
    uint64_t word[8];
};
struct of64 {
    uint64_t word[64];
};

static _Alignas(64) uint64_t object[WORDS];
static uint64_t table[WORDS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_barrier_t barrier;
static _Alignas(64) atomic_long turn;
static long locked_turn; /* under the mutex */
static int pipes[MAX_THREADS][2];

static void prepare(int n_threads)
{
    static int n_pipes;
    for (; n_pipes < MAX_THREADS; n_pipes++)
        if (pipe(pipes[n_pipes]))
            abort();
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    pthread_barrier_init(&barrier, NULL, (unsigned)n_threads);
    atomic_store(&turn, 0);
    locked_turn = 0;
}

/* Each is a pair: until it is this thread's turn; and the end of the turn. */
#define enter_mutex(i) pthread_mutex_lock(&mutex)
#define leave_mutex(i) pthread_mutex_unlock(&mutex)
#define enter_rwlock(i) pthread_rwlock_wrlock(&rwlock)
#define leave_rwlock(i) pthread_rwlock_unlock(&rwlock)
#define enter_spin(i) pthread_spin_lock(&spin)
#define leave_spin(i) pthread_spin_unlock(&spin)
#define enter_semaphore(i) sem_wait(&semaphore)
#define leave_semaphore(i) sem_post(&semaphore)
#define enter_flag(i)                                                                              \
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))                         \
    sched_yield()
#define leave_flag(i) atomic_flag_clear_explicit(&flag, memory_order_release)
#define enter_release(i)                                                                           \
    while (atomic_load_explicit(&turn, memory_order_acquire) !=                                    \
           (i) * context->n_threads + context->id)                                                 \
    sched_yield()
#define leave_release(i)                                                                           \
    atomic_store_explicit(&turn, (i) * context->n_threads + context->id + 1, memory_order_release)
#define enter_cond(i) await_turn((i) * context->n_threads + context->id)
#define leave_cond(i) end_turn()
#define enter_pipe(i) receive(context, i)
#define leave_pipe(i) transmit(context, i)

static void await_turn(long wanted)
{
    pthread_mutex_lock(&mutex);
    while (locked_turn != wanted)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void end_turn(void)
{
    pthread_mutex_lock(&mutex);
    locked_turn++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

/* The token goes around; thread 0 begins without one, and the last turn leaves none behind. */
static void receive(const struct context *context, long i)
{
    char byte;
    if ((i > 0 || context->id > 0) && read(pipes[context->id][0], &byte, 1) != 1)
        abort();
}

static void transmit(const struct context *context, long i)
{
    int next = (context->id + 1) % context->n_threads;
    if ((i < context->rounds - 1 || next > 0) && write(pipes[next][1], "!", 1) != 1)
        abort();
}

#define TOUCH(words)                                                                               \
    struct of##words *at = (struct of##words *)object;                                             \
    for (int j = 0; j < TOUCHES; j++)                                                              \
        for (int k = 0; k < (words); k++)                                                          \
            at[j & zero].word[k] += (uint64_t)j;

#define HAND_OVER(how, words)                                                                      \
    BODY(how##_##words)                                                                            \
    {                                                                                              \
        const long zero = hidden_zero();                                                           \
        for (long i = 0; i < context->rounds; i++) {                                               \
            enter_##how(i);                                                                        \
            TOUCH(words)                                                                           \
            leave_##how(i);                                                                        \
        }                                                                                          \
    }
#define BARRIER_HAND_OVER(words)                                                                   \
    BODY(barrier_##words)                                                                          \
    {                                                                                              \
        const long zero = hidden_zero();                                                           \
        for (long i = 0; i < context->rounds; i++) {                                               \
            if (i % context->n_threads == context->id) {                                           \
                TOUCH(words)                                                                       \
            }                                                                                      \
            pthread_barrier_wait(&barrier);                                                        \
        }                                                                                          \
    }
#define OBJECTS(X, how)                                                                            \
    X(how, 1)                                                                                      \
    X(how, 3)                                                                                      \
    X(how, 5)                                                                                      \
    X(how, 8)                                                                                      \
    X(how, 64)

OBJECTS(HAND_OVER, mutex)
OBJECTS(HAND_OVER, rwlock)
OBJECTS(HAND_OVER, spin)
OBJECTS(HAND_OVER, semaphore)
OBJECTS(HAND_OVER, flag)
OBJECTS(HAND_OVER, release)
OBJECTS(HAND_OVER, cond)
OBJECTS(HAND_OVER, pipe)
BARRIER_HAND_OVER(1)
BARRIER_HAND_OVER(3)
BARRIER_HAND_OVER(5)
BARRIER_HAND_OVER(8)
BARRIER_HAND_OVER(64)

static uint64_t sum_table(void)
{
    uint64_t sum = 0;
    SCALAR_LOOP
    for (int i = 0; i < WORDS; i++)
        sum += table[i];
    return sum;
}

static void fill_table(long value)
{
    SCALAR_LOOP
    for (int i = 0; i < WORDS; i++)
        table[i] = (uint64_t)value;
}

/* Written by the first thread, then read by all. */
BODY(one_writer_barrier)
{
    for (long i = 0; i < context->rounds; i++) {
        if (context->id == 0)
            fill_table(i);
        pthread_barrier_wait(&barrier);
        for (int j = 0; j < 4; j++)
            USE(sum_table());
        pthread_barrier_wait(&barrier);
    }
}

/* Readers and one writer, in whatever order they come. */
BODY(one_writer_rwlock)
{
    for (long i = 0; i < context->rounds; i++) {
        if (context->id == 0) {
            pthread_rwlock_wrlock(&rwlock);
            fill_table(i);
        } else {
            pthread_rwlock_rdlock(&rwlock);
            USE(sum_table());
        }
        pthread_rwlock_unlock(&rwlock);
    }
}

/* A configuration that is published once and read ever after. */
BODY(one_writer_once)
{
    if (context->id == 0) {
        fill_table(7);
        atomic_store_explicit(&turn, 1, memory_order_release);
    }
    for (long i = 0; i < context->rounds; i++) {
        while (!atomic_load_explicit(&turn, memory_order_acquire))
            sched_yield();
        USE(sum_table());
    }
}

/* Each part of the table has another owner in each round. */
BODY(parts_move)
{
    int part = WORDS / context->n_threads;
    for (long i = 0; i < context->rounds; i++) {
        int from = (int)((i + context->id) % context->n_threads) * part;
        for (int j = 0; j < 4; j++)
            for (int k = from; k < from + part; k++)
                table[k] += (uint64_t)k;
        pthread_barrier_wait(&barrier);
    }
}

/* Different elements of one granule or of one line: no race. */
#define FALSE_SHARING(size, stride)                                                                \
    BODY(false_##size##_##stride)                                                                  \
    {                                                                                              \
        typedef uint##size##_t element __attribute__((may_alias));                                 \
        element *at = (element *)((char *)object + (stride) * context->id);                        \
        const long zero = hidden_zero();                                                           \
        for (long i = 0; i < context->rounds; i++)                                                 \
            at[i & zero] += (element)i;                                                            \
    }
FALSE_SHARING(8, 1)
FALSE_SHARING(16, 2)
FALSE_SHARING(32, 4)
FALSE_SHARING(64, 8)
FALSE_SHARING(8, 8)

/* One writes its byte, the others read theirs. */
BODY(false_reads)
{
    volatile unsigned char *at = (volatile unsigned char *)object + context->id;
    for (long i = 0; i < context->rounds; i++) {
        if (context->id == 0)
            *at = (unsigned char)i;
        else
            USE(*at);
    }
}

#define HAND_OVER_CELL(how, words) {"handed-over/" #how "/" #words, 2, how##_##words, prepare},
#define MANY_CELLS(name, body)                                                                     \
    {name "/2", 2, body, prepare}, {name "/4", 4, body, prepare}, {name "/16", 16, body, prepare},

/* The macros bring their commas. */
/* clang-format off */
const struct cell cells[] = {
    OBJECTS(HAND_OVER_CELL, mutex)
    OBJECTS(HAND_OVER_CELL, rwlock)
    OBJECTS(HAND_OVER_CELL, spin)
    OBJECTS(HAND_OVER_CELL, semaphore)
    OBJECTS(HAND_OVER_CELL, flag)
    OBJECTS(HAND_OVER_CELL, release)
    OBJECTS(HAND_OVER_CELL, cond)
    OBJECTS(HAND_OVER_CELL, pipe)
    OBJECTS(HAND_OVER_CELL, barrier)
    MANY_CELLS("many/mutex", mutex_8)
    MANY_CELLS("many/release", release_8)
    MANY_CELLS("many/barrier", barrier_8)
    MANY_CELLS("many/flag", flag_8)
    MANY_CELLS("one-writer/barrier", one_writer_barrier)
    MANY_CELLS("one-writer/rwlock", one_writer_rwlock)
    MANY_CELLS("one-writer/once", one_writer_once)
    MANY_CELLS("parts-move", parts_move)
    {"handed-over/alone/mutex", 1, mutex_8, prepare},
    {"handed-over/alone/spin", 1, spin_8, prepare},
    {"false-sharing/bytes/2", 2, false_8_1, prepare},
    {"false-sharing/bytes/4", 4, false_8_1, prepare},
    {"false-sharing/bytes/16", 16, false_8_1, prepare},
    {"false-sharing/shorts/2", 2, false_16_2, prepare},
    {"false-sharing/shorts/4", 4, false_16_2, prepare},
    {"false-sharing/ints/2", 2, false_32_4, prepare},
    {"false-sharing/ints/4", 4, false_32_4, prepare},
    {"false-sharing/words/2", 2, false_64_8, prepare},
    {"false-sharing/words/4", 4, false_64_8, prepare},
    {"false-sharing/bytes-of-words/4", 4, false_8_8, prepare},
    {"false-sharing/reads/2", 2, false_reads, prepare},
    {"false-sharing/reads/4", 4, false_reads, prepare},
    {NULL, 0, NULL, NULL},
};
/* clang-format on */

static volatile uint64_t datum;
static atomic_int published;

TWIN(twin_plain)
{
    datum = 1;
}

TWIN(twin_mutex)
{
    pthread_mutex_lock(&mutex);
    datum = 2;
    pthread_mutex_unlock(&mutex);
}

TWIN(twin_spin)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&spin);
    datum = 3;
    pthread_spin_unlock(&spin);
}

TWIN(twin_flag)
{
    enter_flag(0);
    datum = 4;
    leave_flag(0);
}

/* Both write in the same round. */
__attribute__((constructor)) static void make_barrier(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
}

TWIN(twin_barrier)
{
    pthread_barrier_wait(&barrier);
    datum = 5;
}

TWIN(twin_publishes)
{
    datum = 6;
    atomic_store_explicit(&published, 1, memory_order_relaxed);
}

TWIN(twin_follows)
{
    while (!atomic_load_explicit(&published, memory_order_relaxed))
        sched_yield();
    USE(datum);
}

/* Told by a pipe, and another one does not listen. */
TWIN(twin_tells)
{
    int ends[2];
    datum = 7;
    if (pipe(ends) || write(ends[1], "!", 1) != 1)
        abort();
}

TWIN(twin_fills)
{
    fill_table(1);
}

TWIN(twin_sums)
{
    USE(sum_table());
}

TWIN(twin_byte)
{
    ((volatile unsigned char *)object)[1] = 1;
}

TWIN(twin_short)
{
    *(volatile uint16_t *)(void *)object = 1;
}

const struct twin twins[] = {
    {"mutex", twin_mutex, twin_plain},
    {"spin", twin_spin, twin_plain},
    {"flag", twin_flag, twin_plain},
    {"barrier", twin_barrier, twin_barrier},
    {"release", twin_publishes, twin_follows},
    {"pipe", twin_tells, twin_plain},
    {"one-writer", twin_fills, twin_sums},
    {"false-sharing", twin_byte, twin_short},
    {NULL, NULL, NULL},
};
