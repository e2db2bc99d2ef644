// executions: 2
// models: sc tso pso c11
// A flag word is cleared as a whole and set bit field by byte.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
    unsigned char ready, size;
    unsigned short kind;
} header;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *make(void *arg)
{
    pthread_mutex_lock(&m);
    memset(&header, 0, sizeof header);
    header.ready = 1;
    header.kind = 7;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, make, NULL);
    pthread_mutex_lock(&m);
    assert(!header.ready || header.kind == 7);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
