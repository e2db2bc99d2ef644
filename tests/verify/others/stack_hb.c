// says: not complete
// models: hb oota
// The address of a local outlives its function. hb does not explore when a local ends: it says so.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int *_Atomic published;

static void *publish(void *arg)
{
    atomic_int local = 1;
    atomic_store(&published, &local);
    return arg;
}

static void *look(void *arg)
{
    atomic_int *at = atomic_load(&published);
    if (at)
        atomic_load(at);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, publish, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
