// models: sc
// race: X
// Lamport's fast mutual exclusion for two threads.
#include <pthread.h>
void __VERIFIER_error(void);

static int x, y, b1, b2, X;

static void *thr1(void *arg)
{
    for (;;) {
        b1 = 1;
        x = 1;
        if (y != 0) {
            b1 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        if (x == 1)
            break;
        b1 = 0;
        while (b2 >= 1)
            ;
        if (y == 1)
            break;
        while (y != 0)
            ;
    }
    X = 0;
    if (X > 0)
        __VERIFIER_error();
    y = 0;
    b1 = 0;
    return arg;
}

static void *thr2(void *arg)
{
    for (;;) {
        b2 = 1;
        x = 2;
        if (y != 0) {
            b2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (x == 2)
            break;
        b2 = 0;
        while (b1 >= 1)
            ;
        if (y == 2)
            break;
        while (y != 0)
            ;
    }
    X = 1;
    if (X < 1)
        __VERIFIER_error();
    y = 0;
    b2 = 0;
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
