/*
 * Thread-specific data. Libc allocates the keys; destructors and, for controlled threads, values
 * are kept here, because libc runs destructors only at the end of a kernel thread. Key numbers are
 * reused after pthread_key_delete; each use of a number has its own stamp.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "runtime/intercept/cancel.h"
#include "runtime/intercept/keys.h"
#include "runtime/intercept/real.h"

enum { BLOCK = 32, BLOCKS = PTHREAD_KEYS_MAX / BLOCK };

struct key {
    uint64_t stamp; /* 0: not in use */
    void (*destructor)(void *);
};
struct value {
    uint64_t stamp;
    void *data;
};

static struct key keys[PTHREAD_KEYS_MAX] SM_SELDOM;
static uint64_t last_stamp;

static bool libc_has(pthread_key_t key)
{
    return SM_REAL(pthread_setspecific)(key, NULL) == 0;
}

/* After a restart in this process the keys of the previous execution are still allocated in libc,
   but not here: they are reused. Either way the program gets the lowest. */
static bool take_left_over(pthread_key_t *key)
{
    pthread_key_t lowest = 0;
    while (lowest < PTHREAD_KEYS_MAX && keys[lowest].stamp)
        lowest++;
    *key = lowest;
    return lowest < PTHREAD_KEYS_MAX && libc_has(lowest);
}

/* Also called without control, by threads that run in parallel: each has its own key. */
int sm_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    if (!sm_self() || !take_left_over(key)) {
        int error = SM_REAL(pthread_key_create)(key, destructor);
        if (error)
            return error;
    }
    sm_seldom_touch(&keys[*key], sizeof *keys);
    keys[*key].destructor = destructor;
    /* relaxed: only has to be unique */
    keys[*key].stamp = __atomic_add_fetch(&last_stamp, 1, __ATOMIC_RELAXED);
    return 0;
}

int sm_key_delete(pthread_key_t key)
{
    if (key < PTHREAD_KEYS_MAX) {
        sm_seldom_touch(&keys[key], sizeof *keys);
        keys[key].stamp = 0;
    }
    return SM_REAL(pthread_key_delete)(key);
}

/* The slot of a key's value, or NULL if the thread has none and none is wanted. */
static struct value *slot(struct sm_thread *self, pthread_key_t key, bool wanted)
{
    if (!self->keys) {
        if (!wanted)
            return NULL;
        self->keys = sm_alloc(BLOCKS * sizeof(*self->keys));
    }
    void **block = &self->keys[key / BLOCK];
    if (!*block) {
        if (!wanted)
            return NULL;
        *block = sm_alloc(BLOCK * sizeof(struct value));
    }
    return (struct value *)*block + key % BLOCK;
}

/* Values that the initial thread stored before main are in libc. */
void *sm_key_get(pthread_key_t key)
{
    struct sm_thread *self = sm_self();
    if (key >= PTHREAD_KEYS_MAX || !keys[key].stamp)
        return NULL;
    const struct value *value = slot(self, key, false);
    if (value && value->stamp == keys[key].stamp)
        return value->data;
    return self->id == 0 ? SM_REAL(pthread_getspecific)(key) : NULL;
}

int sm_key_set(pthread_key_t key, const void *data)
{
    if (key >= PTHREAD_KEYS_MAX || !keys[key].stamp)
        return EINVAL;
    *slot(sm_self(), key, true) = (struct value){keys[key].stamp, (void *)data};
    return 0;
}

void sm_keys_each(const struct sm_thread *thread, void (*call)(uintptr_t data))
{
    for (size_t i = 0; thread->keys && i < BLOCKS; i++) {
        const struct value *values = thread->keys[i];
        for (size_t k = 0; values && k < BLOCK; k++)
            call((uintptr_t)values[k].data);
    }
}

static bool destroy_round(void)
{
    bool any = false;
    for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
        void *data = keys[key].stamp && keys[key].destructor ? sm_key_get(key) : NULL;
        if (!data)
            continue;
        sm_key_set(key, NULL);
        keys[key].destructor(data);
        any = true;
    }
    return any;
}

static void free_values(struct sm_thread *self)
{
    if (!self->keys)
        return;
    for (size_t i = 0; i < BLOCKS; i++)
        if (self->keys[i])
            sm_free(self->keys[i], BLOCK * sizeof(struct value));
    sm_free(self->keys, BLOCKS * sizeof(*self->keys));
    self->keys = NULL;
}

void sm_keys_destroy(struct sm_thread *self)
{
    if (!self->keys && self->id)
        return;
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        if (!destroy_round())
            break;
    free_values(self);
}

void sm_keys_release(struct sm_thread *self)
{
    for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
        const struct value *value = keys[key].stamp ? slot(self, key, false) : NULL;
        if (value && value->stamp == keys[key].stamp)
            SM_REAL(pthread_setspecific)(key, value->data);
    }
}

SM_EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return sm_key_create(key, destructor);
}

/* The name that libstdc++ and libgcc use. */
int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
SM_EXPORT int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
    __attribute__((alias("pthread_key_create")));

SM_EXPORT int pthread_key_delete(pthread_key_t key)
{
    return sm_key_delete(key);
}

SM_EXPORT void *pthread_getspecific(pthread_key_t key)
{
    SM_PASS(pthread_getspecific, key);
    return sm_key_get(key);
}

SM_EXPORT int pthread_setspecific(pthread_key_t key, const void *data)
{
    SM_PASS(pthread_setspecific, key, data);
    return sm_key_set(key, data);
}
