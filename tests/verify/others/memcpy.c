// executions: 2
// models: sc tso pso c11
// A copy whose length is known only when the program runs.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char from[16] = "0123456789", to[16];
static size_t length = 3;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *grow(void *arg)
{
    pthread_mutex_lock(&m);
    length += 4;
    from[6] = 'x';
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, grow, NULL);
    pthread_mutex_lock(&m);
    memcpy(to, from, length);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(strcmp(to, "012") == 0 || strcmp(to, "012345x") == 0);
    return 0;
}
