// violation: : SIGABRT
// race: top
// The same, with pop outside of the lock.
extern void abort(void);
void reach_error(void)
{
    abort();
}
#include <pthread.h>

#define SIZE 2
static int top;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t1(void *arg)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        top++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *t2(void *arg)
{
    for (int i = 0; i < SIZE; i++)
        if (top > 0)
            top--;
    return arg;
}

int main(void)
{
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    if (top > 2 || top < 0 || top == 2)
        reach_error();
    return 0;
}
