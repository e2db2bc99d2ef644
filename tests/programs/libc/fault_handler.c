// A program that handles its own faults: by siglongjmp, again and again, and by repair.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static __thread sigjmp_buf back;
static volatile char *page;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void escape(int signo, siginfo_t *info, void *context)
{
    (void)context;
    assert(signo == SIGSEGV && info->si_addr == (void *)8);
    siglongjmp(back, 1);
}

static void repair(int signo, siginfo_t *info, void *context)
{
    (void)signo;
    (void)context;
    assert((char *)info->si_addr == page);
    assert(mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) == 0);
}

static void *work(void *arg)
{
    volatile int survived = 0;
    volatile uintptr_t nowhere = 8;
    for (int i = 0; i < 3; i++) {
        if (sigsetjmp(back, 1) == 0)
            *(volatile int *)nowhere = 1;
        else
            survived++;
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    assert(survived == 3);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert(!sigismember(&mask, SIGSEGV));
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = escape, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    action.sa_sigaction = repair;
    sigaction(SIGSEGV, &action, NULL);
    page[0] = 5;
    assert(page[0] == 5);
    return 0;
}
