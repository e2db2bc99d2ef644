// One thread may read what the other writes only because of what it read: fails under hb where
// the write would come anyway (tc1). With -DDEPENDS it would not, and nothing fails (tc4).
#include <assert.h>
#include <pthread.h>

static int x, y, r1, r2;

static void *first(void *arg)
{
    r1 = x;
#ifdef DEPENDS
    y = r1;
#else
    if (r1 >= 0)
        y = 1;
#endif
    return arg;
}

static void *second(void *arg)
{
    r2 = y;
    x = r2;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(r1 == 1 && r2 == 1));
    return 0;
}
