// race: w, x, y, z
/* What is done after sending is not ordered by what was sent. */
#include "../race.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>

static int ends[2], counter, queue;
static sigset_t signals;
int x, y, z, w;

struct message {
    long type;
    char text[1];
};

static void *a(void *unused)
{
    struct message message = {.type = 1};
    if (send(ends[1], "", 1, 0) < 0 || eventfd_write(counter, 1) != 0 ||
        msgsnd(queue, &message, sizeof message.text, 0) != 0)
        abort();
    kill(getpid(), SIGUSR1);
    x = y = z = w = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    char got;
    after(0);
    if (recv(ends[0], &got, sizeof got, 0) < 0)
        abort();
    x = 2;
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
