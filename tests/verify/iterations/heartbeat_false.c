// violation: assertion
// says: not complete: a loop that has an effect each time
// models: sc c11
// The twin of heartbeat.c: one of these iterations is wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int beats;

static void *beat(void *unused)
{
    while (!atomic_load(&stop))
        beats++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, beat, NULL);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    assert(beats != 5);
    return 0;
}
