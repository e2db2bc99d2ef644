// store buffering
#include <assert.h>
#include <pthread.h>
static int x, y, r1, r2;
static void *left(void *unused)
{
    x = 1;
    r1 = y;
    return unused;
}
static void *right(void *unused)
{
    y = 1;
    r2 = x;
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(r1 || r2);
    return 0;
}
