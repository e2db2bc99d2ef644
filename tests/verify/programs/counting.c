/* A thread waits, and counts how long. With -DWAITS it only waits. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, spins;

static void *wait_for_flag(void *unused)
{
    int n = 0;
    while (!atomic_load(&flag))
#ifdef WAITS
        ;
#else
        n++;
#endif
    atomic_store(&spins, n);
    return unused;
}

static void *set_flag(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t waits, sets;
    pthread_create(&waits, NULL, wait_for_flag, NULL);
    pthread_create(&sets, NULL, set_flag, NULL);
    pthread_join(waits, NULL);
    pthread_join(sets, NULL);
    return 0;
}
