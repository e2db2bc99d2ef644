// executions: 6
// Its twin: of the eight executions the two in which both add one are assumed away.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int cond);
extern void __VERIFIER_error(void);

static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
    int by = __VERIFIER_nondet_bool() ? 2 : 1;
    pthread_mutex_lock(&m);
    sum += by;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    __VERIFIER_assume(sum != 2);
    if (sum < 2 || sum > 4)
        __VERIFIER_error();
    return 0;
}
