// executions: 17
// says: not complete: of a number
// Of a number only some values are tried: no proof.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static int x;

static void *write_it(void *arg)
{
    x = __VERIFIER_nondet_int();
    return arg;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, write_it, 0);
    pthread_join(one, 0);
    return 0;
}
