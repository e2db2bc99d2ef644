/*
 * texts.c - threads, each of which does what a text says (symmetry.c, locks.c, steps.c).
 *
 * Usage: texts N TEXT, for N threads that are alike; or texts 0 TEXT..., for one with each text. An
 * instruction is three letters: what, variable or object (x, y, z), order (r relaxed, a acquire or
 * release, s seq_cst, p not atomic):
 *   W  writes 1       w  writes what was read last, and 2    R  reads
 *   U  adds 1         C  writes 5 if there is 0              I  leaves out the next if 0 was read
 *   L  takes a mutex  T  tries to: has read 1 if it did      M  gives it back
 *   S  waits for a semaphore (x begins with 1, y with 0)     P  posts it
 *   k  waits for a condition, and gives back mutex x meanwhile
 *   n  signals it     b  broadcasts it
 *   G  takes a read-write lock to read                       H  gives it back
 *   X  takes it to write                                     Y  gives it back
 *   B  begins an atomic block                                E  ends it
 *   Q  writes x and y in one access                          V  reads both
 *   A  waits at a barrier; behind it is D, or d: it looks whether it is the serial thread
 * In the end it prints the variables, and what each thread read, if they are not alike.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { MOST = 6 };
static union {
    atomic_int atomic[3];
    int plain[3];
    long both;
} variables;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_mutex_t mutexes[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static sem_t semaphores[2];
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void write_to(atomic_int *to, int value, char order)
{
    if (order == 'p')
        variables.plain[to - variables.atomic] = value;
    else if (order == 'r')
        atomic_store_explicit(to, value, memory_order_relaxed);
    else if (order == 'a')
        atomic_store_explicit(to, value, memory_order_release);
    else
        atomic_store(to, value);
}

static int read_from(atomic_int *from, char order)
{
    return order == 'p'   ? variables.plain[from - variables.atomic]
           : order == 'r' ? atomic_load_explicit(from, memory_order_relaxed)
           : order == 'a' ? atomic_load_explicit(from, memory_order_acquire)
                          : atomic_load(from);
}

static int add_to(atomic_int *to, char order)
{
    return order == 'r'   ? atomic_fetch_add_explicit(to, 1, memory_order_relaxed)
           : order == 'a' ? atomic_fetch_add_explicit(to, 1, memory_order_acq_rel)
                          : atomic_fetch_add(to, 1);
}

static void lock(char what)
{
    switch (what) {
    case 'G':
        pthread_rwlock_rdlock(&shared);
        break;
    case 'X':
        pthread_rwlock_wrlock(&shared);
        break;
    case 'B':
        __VERIFIER_atomic_begin();
        break;
    case 'E':
        __VERIFIER_atomic_end();
        break;
    default:
        pthread_rwlock_unlock(&shared);
    }
}

static void synchronise(char what, int which)
{
    switch (what) {
    case 'L':
        pthread_mutex_lock(&mutexes[which]);
        break;
    case 'M':
        pthread_mutex_unlock(&mutexes[which]);
        break;
    case 'S':
        sem_wait(&semaphores[which]);
        break;
    case 'P':
        sem_post(&semaphores[which]);
        break;
    case 'k':
        pthread_cond_wait(&condition, &mutexes[0]);
        break;
    case 'n':
        pthread_cond_signal(&condition);
        break;
    case 'b':
        pthread_cond_broadcast(&condition);
        break;
    default:
        lock(what);
    }
}

static int obey(const char *instruction, int last)
{
    int zero = 0, which = instruction[1] - 'x';
    atomic_int *variable = &variables.atomic[which];
    switch (instruction[0]) {
    case 'W':
        write_to(variable, 1, instruction[2]);
        return last;
    case 'w':
        write_to(variable, last + 2, instruction[2]);
        return last;
    case 'R':
        return read_from(variable, instruction[2]);
    case 'U':
        return add_to(variable, instruction[2]);
    case 'C':
        atomic_compare_exchange_strong_explicit(variable, &zero, 5, memory_order_acq_rel,
                                                memory_order_relaxed);
        return zero;
    case 'T':
        return pthread_mutex_trylock(&mutexes[which]) == 0;
    case 'Q':
        variables.both = (long)(last + 3) << 32 | (last + 2);
        return last;
    case 'V': {
        long both = variables.both;
        return (int)both + 16 * (int)(both >> 32);
    }
    default:
        synchronise(instruction[0], which);
        return last;
    }
}

/* The result is used where the program looks, and nowhere else. */
static int pass_barrier(const char *departure, int last)
{
    if (*departure == 'd')
        return pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_barrier_wait(&barrier);
    return last;
}

static void *run(void *text)
{
    int last = 0;
    unsigned seen = 0;
    for (const char *at = text; *at; at += 3) {
        if (*at == 'I') {
            at += last ? 0 : 3;
            continue;
        }
        last = *at == 'A' ? pass_barrier(at += 3, last) : obey(at, last);
        if (strchr("RUCTVd", *at))
            seen = seen * 31 + (unsigned)last;
    }
    return (void *)(uintptr_t)seen;
}

static unsigned waiters(char **texts)
{
    unsigned n = 0;
    for (; *texts; texts++)
        n += strchr(*texts, 'A') != NULL;
    return n;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    void *seen[MOST];
    int alike = argc > 2 ? atoi(argv[1]) : 0, n = alike ? alike : argc - 2;
    if (n < 1 || n > MOST)
        return 2;
    sem_init(&semaphores[0], 0, 1);
    sem_init(&semaphores[1], 0, 0);
    if (waiters(argv + 2))
        pthread_barrier_init(&barrier, NULL, waiters(argv + 2));
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, run, argv[alike ? 2 : 2 + i]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], alike ? NULL : &seen[i]);
    printf("%d %d %d", variables.plain[0], variables.plain[1], variables.plain[2]);
    for (int i = 0; i < n && !alike; i++)
        printf(" %u", (unsigned)(uintptr_t)seen[i]);
    putchar('\n');
    return 0;
}
