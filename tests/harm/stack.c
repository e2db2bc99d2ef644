/* Accesses to the stack of a thread that has ended, and to those of threads that have not. */
#include "harm.h"

#include <semaphore.h>

static int *shared;
static sem_t published, used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int seen;

static void *return_address(void *unused)
{
    int local = 7;
    shared = &local;
    return (void *)shared;
}

CASE(result_on_the_stack, stack - use)
{
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, return_address, NULL);
    pthread_join(thread, &result);
    seen = *(int *)result;
}

static void *return_block(void *unused)
{
    int *block = malloc(sizeof *block);
    *block = 7;
    return block;
}

CASE(result_in_the_heap, none)
{
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, return_block, NULL);
    pthread_join(thread, &result);
    seen = *(int *)result;
    free(result);
}

static void *lend_and_leave(void *unused)
{
    int local = 7;
    shared = &local;
    sem_post(&published);
    return unused;
}

static void *lend_and_wait(void *unused)
{
    int local = 7;
    shared = &local;
    sem_post(&published);
    sem_wait(&used);
    return unused;
}

static void *borrow(void *unused)
{
    sem_wait(&published);
    pthread_mutex_lock(&mutex);
    *shared = 8;
    pthread_mutex_unlock(&mutex);
    sem_post(&used);
    return unused;
}

CASE(owner_does_not_wait, stack - use)
{
    start(lend_and_leave);
    start(borrow);
    join_all();
}

CASE(owner_waits, none)
{
    start(lend_and_wait);
    start(borrow);
    join_all();
}

static void *write_given(void *given)
{
    *(int *)given = 8;
    return NULL;
}

CASE(stack_of_the_initial_thread, none)
{
    int local = 7;
    pthread_t thread;
    pthread_create(&thread, NULL, write_given, &local);
    pthread_join(thread, NULL);
    seen = local;
}
