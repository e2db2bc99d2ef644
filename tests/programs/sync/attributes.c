// Attributes of threads: detached, stack size, a stack of one's own; getattr_np tells the truth.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>

static sem_t done;

static void *check_stack(void *least)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    char here;
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    assert(pthread_attr_getstack(&attributes, &low, &size) == 0);
    assert((uintptr_t)&here > (uintptr_t)low && (uintptr_t)&here < (uintptr_t)low + size);
    assert(size >= (size_t)least);
    pthread_attr_destroy(&attributes);
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t size = 256 << 10;
    sem_init(&done, 0, 0);
    check_stack(NULL);
    sem_wait(&done);
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstacksize(&attributes, size) == 0);
    assert(pthread_create(&thread, &attributes, check_stack, (void *)size) == 0);
    assert(pthread_join(thread, NULL) == 0);

    void *stack = aligned_alloc(4096, size);
    assert(pthread_attr_setstack(&attributes, stack, size) == 0);
    assert(pthread_create(&thread, &attributes, check_stack, (void *)size) == 0);
    assert(pthread_join(thread, NULL) == 0);
    free(stack);
    pthread_attr_destroy(&attributes);

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sem_wait(&done);
    sem_wait(&done);
    assert(pthread_create(&thread, &attributes, check_stack, NULL) == 0);
    sem_wait(&done);
    return 0;
}
