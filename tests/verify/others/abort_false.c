// violation: abort
// race: x
// SV-COMP: an error is a call of abort in a function of the program's own.
#include <pthread.h>
extern void abort(void);

static int x;

static void fail_unless(int truth)
{
    if (!truth)
        abort();
}

static void *increment(void *arg)
{
    int seen = x;
    x = seen + 1;
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, increment, 0);
    pthread_create(&two, 0, increment, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    fail_unless(x == 2);
    return 0;
}
