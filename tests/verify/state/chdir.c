// says: not seen: accesses by chdir()
// The working directory is the state of the process.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    char name[64];
    if (chdir(i ? "/" : "/proc") || !getcwd(name, sizeof name))
        abort();
    bad[i] = strcmp(name, i ? "/" : "/proc") != 0;
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
