/* An assumption, a choice, an assertion that fails for one answer, and a race on y. */
#include <assert.h>
#include <pthread.h>
#include <stalemate.h>
#include <stdatomic.h>

static atomic_int x;
static int y;

static void *reader(void *unused)
{
    int v = atomic_load(&x);
    stalemate_assume(v != 0);
    assert(v != 2);
    y = 1;
    return unused;
}

static void *writer(void *unused)
{
    atomic_store(&x, 1 + (int)stalemate_choose(3));
    y = 2;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
