// Writing to a pipe that nobody reads: EPIPE when the signal is ignored or handled.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch (int signo)
{
    assert(signo == SIGPIPE);
    caught++;
}

static void *work(void *arg)
{
    int ends[2];
    assert(pipe(ends) == 0);
    close(ends[0]);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    close(ends[1]);
    return arg;
}

int main(void)
{
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    work(NULL);
    signal(SIGPIPE, catch);
    work(NULL);
    assert(caught == 1);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(caught == 2);
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    close(ends[0]);
    assert(send(ends[1], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE && caught == 2);
    return 0;
}
