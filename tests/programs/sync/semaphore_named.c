// A named semaphore: opened twice it is one, and it keeps its value when one side closes it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "../../real_pid.h"

static sem_t *sem;

static void *post(void *arg)
{
    assert(sem_post(sem) == 0);
    return arg;
}

int main(void)
{
    char name[64];
    int value;
    pthread_t thread;
    /* Of one length in every run: libc allocates a copy of it. */
    put_real_name(name, sizeof name, "/stalemate-test-");
    sem_unlink(name); /* of a run with the same number that was killed */
    sem = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    assert(sem != SEM_FAILED && sem_open(name, 0) == sem);
    pthread_create(&thread, NULL, post, NULL);
    assert(sem_wait(sem) == 0);
    pthread_join(thread, NULL);
    assert(sem_post(sem) == 0 && sem_close(sem) == 0);
    assert(sem_getvalue(sem, &value) == 0 && value == 1);
    assert(sem_trywait(sem) == 0 && sem_trywait(sem) == -1 && errno == EAGAIN);
    assert(sem_close(sem) == 0 && sem_unlink(name) == 0);
    return 0;
}
