/* Test and test-and-set: the first test reads the lock as if it were not atomic. */
#include "two.h"

static int locked;
static int counter;

static int look(void)
{
#ifdef FIXED
    return __atomic_load_n(&locked, __ATOMIC_SEQ_CST);
#else
    return locked;
#endif
}

static void *work(void *arg)
{
    do {
        while (look())
            ;
    } while (__atomic_exchange_n(&locked, 1, __ATOMIC_SEQ_CST));
    counter++;
    __atomic_store_n(&locked, 0, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    run_two(work, work);
    assert(counter == 2);
    return 0;
}
