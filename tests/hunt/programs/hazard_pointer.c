/*
 * A hazard pointer without a fence between publishing it and looking again.
 *
 * hunt: hazard destructive tso
 *
 * The reader says which object it uses, and looks whether it is still the current one. The
 * store must be visible before that look, and x86 does not see to it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct object {
    atomic_int alive;
};
static struct object first = {1}, second = {1};
static _Atomic(struct object *) current = &first;
static struct object *hazard;

static void *read_current(void *arg)
{
    struct object *mine = atomic_load_explicit(&current, memory_order_acquire);

    hazard = mine;
    if (atomic_load_explicit(&current, memory_order_acquire) == mine)
        assert(atomic_load_explicit(&mine->alive, memory_order_relaxed));
    return arg;
}

static void *replace(void *arg)
{
    struct object *old = atomic_exchange(&current, &second);

    if (hazard != old)
        atomic_store_explicit(&old->alive, 0, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, read_current, NULL);
    pthread_create(&threads[1], NULL, replace, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
