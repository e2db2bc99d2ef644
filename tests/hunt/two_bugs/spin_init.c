/*
 * Two bugs that have nothing to do with each other: two spin locks are taken in either order;
 * an object is initialised after a plain test, and used before it is complete.
 *
 * hunt: table[] destructive
 * failure: deadlock
 * says: and wants 'b' (
 */
#include <assert.h>
#include <pthread.h>

static int table[2], is_ready;
static pthread_spinlock_t a, b;

static void *first(void *arg)
{
    if (!is_ready) {
        table[1] = 5;
        is_ready = 1;
    }
    pthread_spin_lock(&a);
    pthread_spin_lock(&b); // failure
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    return arg;
}

static void *second(void *arg)
{
    if (is_ready)
        assert(table[1] == 5);
    pthread_spin_lock(&b);
    pthread_spin_lock(&a);
    pthread_spin_unlock(&a);
    pthread_spin_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
