// no race
/* A socket, a counter, a queue, a signal: who gets what another thread sent comes after it. The
   buffer that was sent is free for the receiver. */
#include "../race.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>

static int ends[2], counter, queue;
static sigset_t signals;
int x, y, z, w;
char buffer[8];

struct message {
    long type;
    char text[1];
};

static void *a(void *unused)
{
    x = 1;
    if (send(ends[1], buffer, sizeof buffer, 0) < 0)
        abort();
    y = 1;
    if (eventfd_write(counter, 1) != 0)
        abort();
    z = 1;
    struct message message = {.type = 1};
    if (msgsnd(queue, &message, sizeof message.text, 0) != 0)
        abort();
    w = 1;
    kill(getpid(), SIGUSR1);
    return unused;
}

static void *b(void *unused)
{
    char got[8];
    if (recv(ends[0], got, sizeof got, 0) < 0)
        abort();
    x = 2;
    buffer[0] = 1;
    eventfd_t count;
    if (eventfd_read(counter, &count) != 0)
        abort();
    y = 2;
    struct message message;
    if (msgrcv(queue, &message, sizeof message.text, 0, 0) < 0)
        abort();
    z = 2;
    int signo;
    sigwait(&signals, &signo);
    w = 2;
    return unused;
}

int main(void)
{
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    counter = eventfd(0, 0);
    queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || counter < 0 || queue < 0)
        return 1;
    run(a, b);
    msgctl(queue, IPC_RMID, NULL);
    return 0;
}
