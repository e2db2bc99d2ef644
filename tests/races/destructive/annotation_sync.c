// race: x
/* A release that is not to order anything. */
#include "../race.h"
#include <stdatomic.h>

void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);

int x;
static atomic_int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    x = 1;
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    atomic_store_explicit(&ready, 1, memory_order_release);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    USE(unused);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(atomic_load_explicit(&ready, memory_order_acquire));
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
