// executions: 3
// models: sc tso pso
// race: x
// A value that a block stores and takes back is never seen; and a block reads no two values of one
// variable.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_error(void);

static int x, y;

static void *block(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    x = 0;
    int first = y;
    if (first != y)
        __VERIFIER_error();
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, block, 0);
    if (x != 0)
        __VERIFIER_error();
    y = 1;
    pthread_join(one, 0);
    return 0;
}
