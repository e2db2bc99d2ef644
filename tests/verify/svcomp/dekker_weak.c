// violation: __VERIFIER_error
// models: tso pso c11
// race: x
// The same program as dekker.c, where stores may be late.
#include <pthread.h>
void __VERIFIER_error(void);

static int flag1, flag2, turn, x;

static void *thr1(void *arg)
{
    flag1 = 1;
    while (flag2 == 1)
        if (turn != 0) {
            flag1 = 0;
            while (turn != 0)
                ;
            flag1 = 1;
        }
    x = 0;
    if (x > 0)
        __VERIFIER_error();
    turn = 1;
    flag1 = 0;
    return arg;
}

static void *thr2(void *arg)
{
    flag2 = 1;
    while (flag1 == 1)
        if (turn != 1) {
            flag2 = 0;
            while (turn != 1)
                ;
            flag2 = 1;
        }
    x = 1;
    if (x < 1)
        __VERIFIER_error();
    turn = 0;
    flag2 = 0;
    return arg;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, thr1, 0);
    pthread_create(&t2, 0, thr2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
