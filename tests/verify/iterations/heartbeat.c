// executions: 36
// says: not complete: a loop that has an effect each time
// models: sc c11
// A thread counts until it is told to stop: its loop is followed for some iterations.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, beats;

static void *beat(void *unused)
{
    while (!atomic_load(&stop))
        atomic_fetch_add(&beats, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, beat, NULL);
    (void)atomic_load(&beats);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    return 0;
}
