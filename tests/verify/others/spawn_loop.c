// executions: 24
// A loop that creates threads runs as often as it says.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 4 };
static atomic_int count;

static void *add(void *arg)
{
    atomic_fetch_add(&count, 1);
    return arg;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(count == N);
    return 0;
}
