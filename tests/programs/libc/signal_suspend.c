// sigsuspend lets in what the mask held back; a signal interrupts read, unless SA_RESTART.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static int ends[2];
static atomic_int interrupted;

static void catch (int signo)
{
    (void)signo;
    caught++;
}

static void *reader(void *arg)
{
    char byte;
    while (read(ends[0], &byte, 1) == -1) {
        assert(errno == EINTR);
        atomic_store(&interrupted, 1);
    }
    return arg;
}

static void interrupt_reader(int flags)
{
    struct sigaction action = {.sa_handler = catch, .sa_flags = flags};
    sigaction(SIGUSR2, &action, NULL);
    atomic_store(&interrupted, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    if (flags & SA_RESTART) {
        pthread_kill(thread, SIGUSR2);
    } else {
        /* sent before the thread reads, it interrupts nothing: try until it did */
        while (!atomic_load(&interrupted)) {
            pthread_kill(thread, SIGUSR2);
            usleep(100);
        }
    }
    assert(write(ends[1], "x", 1) == 1);
    pthread_join(thread, NULL);
    assert(!(flags & SA_RESTART) || !atomic_load(&interrupted));
}

int main(void)
{
    sigset_t block, before;
    signal(SIGUSR1, catch);
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, &before);
    raise(SIGUSR1);
    assert(caught == 0);
    assert(sigsuspend(&before) == -1 && errno == EINTR && caught == 1);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert(pipe(ends) == 0);
    interrupt_reader(0);
    interrupt_reader(SA_RESTART);
    return 0;
}
