// right: 1
// wrong: 0 1
// Joining a thread that left by pthread_exit tells what it did; wrong: who is told of the end by a
// third one that does not join.
#include <pthread.h>
#include <stdio.h>

static int data, done;

static void *work(void *unused)
{
    data = 1;
    done = 1;
    pthread_exit(unused);
}

static void *look(void *arg)
{
#ifdef WRONG
    while (!done)
        ;
#else
    pthread_join(*(pthread_t *)arg, NULL);
#endif
    printf("%d\n", data);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, look, &one);
    pthread_join(two, NULL);
#ifdef WRONG
    pthread_join(one, NULL);
#endif
    return 0;
}
