/*
 * Two bugs that have nothing to do with each other: two spin locks are taken in either order;
 * two plain increments lose one.
 *
 * hunt: total destructive
 * failure: deadlock
 * says: and wants 'b' (
 */
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_spinlock_t a, b;

static void *first(void *arg)
{
    total++;
    pthread_spin_lock(&a);
    pthread_spin_lock(&b); // failure
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    return arg;
}

static void *second(void *arg)
{
    total++;
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
    assert(total == 2);
    return 0;
}
