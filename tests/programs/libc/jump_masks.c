// sigsetjmp saves the mask when asked to, and siglongjmp brings it back.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf saved, plain;
static volatile sig_atomic_t caught;

static int is_blocked(int signo)
{
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    return sigismember(&mask, signo);
}

static void leave(int signo)
{
    caught++;
    assert(is_blocked(signo));
    siglongjmp(saved, 1);
}

static void block(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(how, &set, NULL);
}

int main(void)
{
    signal(SIGUSR1, leave);
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(saved, 1) == 0)
            raise(SIGUSR1);
        assert(!is_blocked(SIGUSR1));
    }
    assert(caught == 3);
    if (sigsetjmp(saved, 1) == 0) {
        block(SIG_BLOCK);
        siglongjmp(saved, 1);
    }
    assert(!is_blocked(SIGUSR2));
    if (sigsetjmp(plain, 0) == 0) {
        block(SIG_BLOCK);
        siglongjmp(plain, 1);
    }
    assert(is_blocked(SIGUSR2));
    return 0;
}
