/*
 * interpret_objects.c - robust mutexes, and objects that are initialised and destroyed.
 *
 * Each is a variable of its own name, which the race is reported on, and has calls of its own: a
 * race is known by its two places.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "interpret.h"

/* Returns 0 if all is as it should be. */
typedef int performer(const struct operation *operation);

#define PERFORM(name, init, destroy, first, second)                                                \
    static __attribute__((noinline)) int perform_##name(const struct operation *operation)         \
    {                                                                                              \
        int error;                                                                                 \
        if (operation->kind == INIT)                                                               \
            error = init;                                                                          \
        else if (operation->kind == DESTROY)                                                       \
            error = destroy;                                                                       \
        else if (operation->flag)                                                                  \
            error = first;                                                                         \
        else                                                                                       \
            error = second;                                                                        \
        return error;                                                                              \
    }

static pthread_mutex_t mutex;
PERFORM(mutex, pthread_mutex_init(&mutex, NULL), pthread_mutex_destroy(&mutex),
        pthread_mutex_lock(&mutex) + pthread_mutex_unlock(&mutex),
        pthread_mutex_trylock(&mutex) + pthread_mutex_unlock(&mutex))

static pthread_rwlock_t rwlock;
PERFORM(rwlock, pthread_rwlock_init(&rwlock, NULL), pthread_rwlock_destroy(&rwlock),
        pthread_rwlock_rdlock(&rwlock) + pthread_rwlock_unlock(&rwlock),
        pthread_rwlock_wrlock(&rwlock) + pthread_rwlock_unlock(&rwlock))

static pthread_spinlock_t spin;
PERFORM(spin, pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), pthread_spin_destroy(&spin),
        pthread_spin_lock(&spin) + pthread_spin_unlock(&spin),
        pthread_spin_trylock(&spin) + pthread_spin_unlock(&spin))

static pthread_cond_t cond;
PERFORM(cond, pthread_cond_init(&cond, NULL), pthread_cond_destroy(&cond),
        pthread_cond_signal(&cond), pthread_cond_broadcast(&cond))

/* For one thread, which is the serial one. */
static pthread_barrier_t barrier;
PERFORM(barrier, pthread_barrier_init(&barrier, NULL, 1), pthread_barrier_destroy(&barrier),
        pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD,
        pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD)

static sem_t semaphore;
PERFORM(semaphore, sem_init(&semaphore, 0, 0), sem_destroy(&semaphore), sem_post(&semaphore),
        sem_wait(&semaphore))

/* ---- robust mutexes ---- */

static int initialise_robust(pthread_mutex_t *made)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    int error = pthread_mutex_init(made, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return error;
}

static const int results[] = {
    [TAKEN] = 0, [OWNER_DIED] = EOWNERDEAD, [NOT_RECOVERABLE] = ENOTRECOVERABLE, [BUSY] = EBUSY};

#define PERFORM_ROBUST(name)                                                                       \
    static pthread_mutex_t name;                                                                   \
    static __attribute__((noinline)) int perform_##name(const struct operation *operation)         \
    {                                                                                              \
        int error;                                                                                 \
        switch (operation->kind) {                                                                 \
        case INIT:                                                                                 \
            error = initialise_robust(&name);                                                      \
            break;                                                                                 \
        case DESTROY:                                                                              \
            error = pthread_mutex_destroy(&name);                                                  \
            break;                                                                                 \
        case ROBUST_LOCK:                                                                          \
            error = operation->flag ? pthread_mutex_trylock(&name) : pthread_mutex_lock(&name);    \
            error = error != results[operation->result];                                           \
            break;                                                                                 \
        case ROBUST_UNLOCK:                                                                        \
            error = pthread_mutex_unlock(&name);                                                   \
            break;                                                                                 \
        default: /* CONSISTENT */                                                                  \
            error = pthread_mutex_consistent(&name);                                               \
        }                                                                                          \
        return error;                                                                              \
    }
PERFORM_ROBUST(robust_a)
PERFORM_ROBUST(robust_b)

/* ---- */

void operate(const struct operation *operation)
{
    static performer *const performers[OBJECTS] = {
        [MUTEX] = perform_mutex,     [RWLOCK] = perform_rwlock,
        [SPIN] = perform_spin,       [COND] = perform_cond,
        [BARRIER] = perform_barrier, [SEMAPHORE] = perform_semaphore,
        [ROBUST] = perform_robust_a, [ROBUST_TOO] = perform_robust_b,
    };
    if (performers[operation->object](operation) != 0)
        abort();
}

void initialise_objects(void)
{
    for (uint8_t object = 0; object < OBJECTS; object++)
        operate(&(struct operation){.kind = INIT, .object = object});
}
