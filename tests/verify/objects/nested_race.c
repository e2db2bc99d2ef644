// race: x
// violation: fails the assertion
// A grandchild that nobody joins in time.
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_t grandchild;

static void *set(void *unused)
{
    x = 1;
    return unused;
}

static void *create(void *unused)
{
    pthread_create(&grandchild, NULL, set, NULL);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, create, NULL);
    pthread_create(&two, NULL, set, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    x = 2;
    int seen = x;
    pthread_join(grandchild, NULL);
    assert(seen == 2);
    return 0;
}
