/* Signal handlers that do what they must not, and twins that may do it. */
#define _GNU_SOURCE
#include "harm.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static atomic_int ready, got;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static sigjmp_buf back;

static void spoil(int signo)
{
    close(-1);
    atomic_store(&got, signo);
}

static void spoil_and_restore(int signo)
{
    int before = errno;
    close(-1);
    errno = before;
    atomic_store(&got, signo);
}

static void allocate(int signo)
{
    void *volatile block = malloc(signo);
    free(block);
    atomic_store(&got, signo);
}

static void lock_mutex(int signo)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    atomic_store(&got, signo);
}

static void post(int signo)
{
    sem_post(&done);
    atomic_store(&got, signo);
}

static void jump(int signo)
{
    atomic_store(&got, signo);
    siglongjmp(back, 1);
}

static void handle_by(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
}

static void *work(void *unused)
{
    atomic_store(&ready, 1);
    while (!atomic_load(&got))
        sched_yield();
    return unused;
}

static void interrupt(void (*handler)(int))
{
    handle_by(handler);
    start(work);
    while (!atomic_load(&ready))
        sched_yield();
    pthread_kill(harm_threads[0], SIGUSR1);
    join_all();
}

CASE(errno_left_changed, handler - errno)
{
    interrupt(spoil);
}

CASE(errno_restored, none)
{
    interrupt(spoil_and_restore);
}

/* In the middle of work: what comes after it looks at errno. */
static void *work_and_look(void *unused)
{
    errno = 0;
    work(unused);
    return errno ? unused : NULL;
}

CASE(errno_looked_at, handler - errno)
{
    handle_by(spoil);
    start(work_and_look);
    while (!atomic_load(&ready))
        sched_yield();
    pthread_kill(harm_threads[0], SIGUSR1);
    join_all();
}

CASE(errno_changed_by_a_call, none)
{
    handle_by(spoil);
    raise(SIGUSR1);
}

CASE(errno_changed_while_waiting, none)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    handle_by(spoil);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    kill(getpid(), SIGUSR1);
    sigsuspend(&none);
}

CASE(memory_allocated, handler - unsafe)
{
    interrupt(allocate);
}

CASE(mutex_locked, handler - unsafe)
{
    interrupt(lock_mutex);
}

CASE(semaphore_posted, none)
{
    interrupt(post);
}

CASE(mutex_locked_in_a_call, none)
{
    handle_by(lock_mutex);
    raise(SIGUSR1);
}

static void *jump_back(void *unused)
{
    if (sigsetjmp(back, 1) == 0)
        work(unused);
    void *volatile block = malloc(10);
    free(block);
    return unused;
}

CASE(memory_allocated_after_a_jump, none)
{
    handle_by(jump);
    start(jump_back);
    while (!atomic_load(&ready))
        sched_yield();
    pthread_kill(harm_threads[0], SIGUSR1);
    join_all();
}
