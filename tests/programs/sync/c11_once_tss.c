// threads.h: call_once and thread-specific storage with destructors.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static atomic_int destroyed;
static int initialised;

static void destroy(void *value)
{
    assert(*(int *)value == 3);
    destroyed++;
}

static void initialise(void)
{
    assert(tss_create(&key, destroy) == thrd_success);
    initialised++;
}

static int work(void *arg)
{
    call_once(&once, initialise);
    assert(initialised == 1 && !tss_get(key));
    assert(tss_set(key, arg) == thrd_success && tss_get(key) == arg);
    return 0;
}

int main(void)
{
    int three = 3;
    thrd_t a, b;
    thrd_create(&a, work, &three);
    thrd_create(&b, work, &three);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(destroyed == 2);
    tss_delete(key);
    return 0;
}
