/*
 * victim.c - a program that ends as its first argument says, for the tests of the driver.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int shared, *nowhere;

static void *hold_second(void *arg)
{
    pthread_mutex_lock(&second);
    shared = 1;
    pthread_mutex_lock(&first);
    return arg;
}

static int deadlock(void)
{
    pthread_t thread;
    pthread_mutex_lock(&first);
    pthread_create(&thread, NULL, hold_second, NULL);
    return pthread_join(thread, NULL);
}

static int spin(void)
{
    puts("spinning");
    fflush(stdout);
    for (volatile int i = 0;; i = i + 1)
        continue;
}

static int eat(void)
{
    for (;;)
        memset(malloc(1 << 20), 1, 1 << 20);
}

/* Father and child both write: the child's lines must not disturb the father's record. */
static int multiply(void)
{
    pid_t child = fork();
    if (child == 0) {
        shared = 2;
        puts("child");
        fflush(stdout);
        _exit(7);
    }
    int status;
    waitpid(child, &status, 0);
    printf("father of %d\n", WEXITSTATUS(status));
    return 0;
}

/* For a semaphore that processes share. A child would post it when this process has ended. */
static int wait_for_process(bool forks)
{
    int ends[2];
    sem_t *semaphore =
        mmap(NULL, sizeof *semaphore, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(semaphore, 1, 0);
    if (pipe(ends) == 0 && forks && fork() == 0) {
        char byte;
        close(ends[1]);
        if (read(ends[0], &byte, 1) == 0)
            sem_post(semaphore);
        _exit(0);
    }
    return sem_wait(semaphore);
}

/* Father and child count under a lock that they share; `after`: the father when the child has
   ended, which is not refused. */
static int count_with_process(bool after)
{
    pthread_mutexattr_t attributes;
    struct counter {
        pthread_mutex_t mutex;
        int n;
    } *counter =
        mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&counter->mutex, &attributes);
    pid_t child = fork();
    if (child != 0 && after)
        waitpid(child, NULL, 0);
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&counter->mutex);
        counter->n++;
        pthread_mutex_unlock(&counter->mutex);
    }
    if (child == 0)
        _exit(0);
    if (!after)
        waitpid(child, NULL, 0);
    return counter->n != 20;
}

static int echo(void)
{
    for (int c; (c = getchar()) != EOF;)
        putchar(c);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    shared = argc;
    if (strcmp(what, "exit") == 0)
        return atoi(argv[2]);
    if (strcmp(what, "crash") == 0)
        return *nowhere;
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "assert") == 0)
        assert(shared == 77);
    if (strcmp(what, "kill") == 0)
        return raise(SIGKILL);
    if (strcmp(what, "deadlock") == 0)
        return deadlock();
    if (strcmp(what, "spin") == 0)
        return spin();
    if (strcmp(what, "eat") == 0)
        return eat();
    if (strcmp(what, "fork") == 0)
        return multiply();
    if (strcmp(what, "process") == 0)
        return wait_for_process(true);
    if (strcmp(what, "nobody") == 0)
        return wait_for_process(false);
    if (strcmp(what, "both") == 0)
        return count_with_process(false);
    if (strcmp(what, "after") == 0)
        return count_with_process(true);
    if (strcmp(what, "echo") == 0)
        return echo();
    puts("hello");
    return 0;
}
