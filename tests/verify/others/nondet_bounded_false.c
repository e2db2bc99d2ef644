// violation: reach_error
// says: not complete
// SV-COMP: a number between bounds, an assumption, an error that is reached.
extern void abort(void);
void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
#include <pthread.h>

static int limit, sum;

static void *add(void *arg)
{
    for (int i = 0; i < limit; i++)
        sum += i;
    return arg;
}

int main(void)
{
    pthread_t t;
    limit = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= limit && limit < 5);
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
    if (sum == 6)
        reach_error();
    return 0;
}
