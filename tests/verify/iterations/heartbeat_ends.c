// executions: 601
// models: sc
// A long loop that ends by itself is followed to its end.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int limit = 600;

static void *count(void *unused)
{
    for (int i = 0; i < limit; i++)
        atomic_fetch_add(&counter, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    (void)atomic_load(&counter);
    pthread_join(thread, NULL);
    return 0;
}
