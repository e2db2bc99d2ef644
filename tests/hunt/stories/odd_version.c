/* A reader takes an odd version, which says that a write is under way, for one that it can trust.
   TELLS: writes position.version = 1 / writes position.x = 1 / before = .*reads position.version =
   1 / reads position.x = 1 / reads position.y = 0 / after = .*reads position.version = 1 / fails
   the assertion NEVER: done */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct position {
    atomic_uint version;
    atomic_int x, y;
} position;
static int done[2];

static void *receiver(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        unsigned version = atomic_load(&position.version);
        atomic_store(&position.version, version + 1);
        atomic_store(&position.x, i);
        atomic_store(&position.y, 10 * i);
        atomic_store(&position.version, version + 2);
    }
    done[0] = 1;
    return unused;
}

static void *display(void *unused)
{
    unsigned before, after;
    int x, y;
    do {
        before = atomic_load(&position.version);
        x = atomic_load(&position.x);
        y = atomic_load(&position.y);
        after = atomic_load(&position.version);
    } while (before != after);
    done[1] = 1;
    assert(y == 10 * x);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, receiver, 0);
    pthread_create(&threads[1], 0, display, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
