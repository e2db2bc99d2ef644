// violation: fails the assertion
// race: x
// Between two plain reads there is room for a whole block.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *both(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, both, 0);
    int last = y, first = x;
    assert(first == last);
    pthread_join(one, 0);
    return 0;
}
