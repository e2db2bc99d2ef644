// models: sc tso pso c11
// violation: fails the assertion
// race: shared
// A struct is copied while its fields are stored: what is copied may be half of each.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    int x, y;
};
static struct pair shared;

static void *fill(void *unused)
{
    shared.x = 1;
    shared.y = 1;
    return unused;
}

int main(void)
{
    pthread_t one;
    struct pair own;
    pthread_create(&one, NULL, fill, NULL);
    memcpy(&own, &shared, sizeof own);
    assert(own.x == own.y);
    pthread_join(one, NULL);
    return 0;
}
