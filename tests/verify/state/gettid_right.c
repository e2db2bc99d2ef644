// says: race-free, hence sequentially consistent
// The twin of system_call.c: a thread that asks for its own number shares nothing.
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    bad[i] = syscall(SYS_gettid) <= 0;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, (void *)0);
    pthread_create(&two, NULL, work, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return bad[0] || bad[1];
}
