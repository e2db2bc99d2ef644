// violation: __VERIFIER_error
// models: tso pso c11
// race: x
// The same program as szymanski.c, where stores may be late.
#include <pthread.h>
void __VERIFIER_error(void);

static int flag1, flag2, x;

static void *thr1(void *arg)
{
    flag1 = 1;
    while (flag2 >= 3)
        ;
    flag1 = 3;
    if (flag2 == 1) {
        flag1 = 2;
        while (flag2 != 4)
            ;
    }
    flag1 = 4;
    while (flag2 >= 2)
        ;
    x = 0;
    if (x > 0)
        __VERIFIER_error();
    while (2 <= flag2 && flag2 <= 3)
        ;
    flag1 = 0;
    return arg;
}

static void *thr2(void *arg)
{
    flag2 = 1;
    while (flag1 >= 3)
        ;
    flag2 = 3;
    if (flag1 == 1) {
        flag2 = 2;
        while (flag1 != 4)
            ;
    }
    flag2 = 4;
    while (2 <= flag1 && flag1 <= 3)
        ;
    x = 1;
    if (x < 1)
        __VERIFIER_error();
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
