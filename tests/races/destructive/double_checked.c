// race: instance
/* Double-checked locking with a plain pointer. */
#include "../race.h"

int *instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *get(void)
{
    if (!instance) {
        pthread_mutex_lock(&m);
        if (!instance)
            instance = calloc(1, sizeof *instance);
        pthread_mutex_unlock(&m);
    }
    return instance;
}

static void *a(void *unused)
{
    USE(get());
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(get());
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
