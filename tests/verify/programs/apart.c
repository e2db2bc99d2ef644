// Three threads with the same function and argument. They are alike, unless a macro tells them
// apart: SELF one asks who it is, STACK shows where its stack is, BETWEEN joining has something in
// between, ARGUMENT they have different ones, RESULT what they return is asked for, OWN the second
// computes with the address of something of its own, PRINTS they print, EXITS the first ends the
// program, SOME are joined before x is read, and others are not (the last one is, and is last or
// not).
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3 };
static atomic_int x;
static _Atomic(void *) who;
static atomic_int token;
static __thread int own;

static void *work(void *arg)
{
    long place = atomic_fetch_add(&x, 1);
#ifdef SELF
    if (place == 0)
        atomic_store(&who, (void *)pthread_self());
#endif
#ifdef STACK
    if (place == 0)
        atomic_store(&who, (void *)&place);
#endif
#ifdef OWN
    if (place == 1)
        atomic_store(&token, (int)((uintptr_t)&own * 0x9e3779b97f4a7c15u >> 40));
#endif
#ifdef PRINTS
    printf("%ld ", place);
#endif
#ifdef SOME
    if (place == 0)
        atomic_fetch_add(&x, 10);
#endif
#ifdef EXITS
    if (place == 0)
        exit(0);
#endif
#ifdef RESULT
    return (void *)place;
#endif
    return arg;
}

int main(void)
{
    pthread_t threads[N];
    static int arguments[N];
    void *results[N] = {0};
    for (int i = 0; i < N; i++) {
#ifdef ARGUMENT
        pthread_create(&threads[i], NULL, work, &arguments[i]);
#else
        pthread_create(&threads[i], NULL, work, arguments);
#endif
    }
#ifdef SOME
    pthread_join(threads[N - 1], NULL);
    printf("%d 0\n", atomic_load(&x));
    return 0;
#endif
    for (int i = 0; i < N; i++) {
#ifdef BETWEEN
        if (i)
            printf("%d ", atomic_load(&x));
#endif
#ifdef RESULT
        pthread_join(threads[i], &results[i]);
#else
        pthread_join(threads[i], NULL);
#endif
    }
    for (int i = 0; i < N; i++)
        printf("%ld%d ", (long)results[i], atomic_load(&who) == (void *)threads[i]);
    printf("%d\n", atomic_load(&token));
    return 0;
}
