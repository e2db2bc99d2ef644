// race: x
/* A robust mutex of one process, locked while a child process runs: it is not shared with it,
   though libc marks it so. A thread that does not lock it races. */
#define _GNU_SOURCE
#include "../race.h"
#include <sys/wait.h>

int x;
static pthread_mutex_t mutex;

static void *a(void *unused)
{
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *b(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    run(a, b);
    return waitpid(child, NULL, 0) != child;
}
