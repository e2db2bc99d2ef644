// Three threads with the same function and argument. They are alike, unless a macro tells them
// apart: SELF one asks who it is, STACK shows where its stack is, BETWEEN joining has something in
// between, ARGUMENT they have different ones, RESULT what they return is asked for.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { N = 3 };
static atomic_int x;
static _Atomic(void *) who;

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
    printf("\n");
    return 0;
}
