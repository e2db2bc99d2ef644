/* A constructor creates a thread that main joins: refused. TWIN: one that the constructor joins. */
#include <pthread.h>
#include <stdio.h>

static pthread_t thread;
static int seen;

static void *run(void *arg)
{
    seen = 1;
    return arg;
}

__attribute__((constructor)) static void start(void)
{
    pthread_create(&thread, NULL, run, NULL);
#ifdef TWIN
    pthread_join(thread, NULL);
#endif
}

int main(void)
{
#ifndef TWIN
    pthread_join(thread, NULL);
#endif
    printf("%d\n", seen);
    return 0;
}
