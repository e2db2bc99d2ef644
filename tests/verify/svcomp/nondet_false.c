// violation: __VERIFIER_error
// Each thread adds one or two: three is a sum that they come to.
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
    if (sum == 3)
        __VERIFIER_error();
    return 0;
}
