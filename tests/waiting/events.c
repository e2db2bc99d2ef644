/*
 * A thread that waits for an event descriptor, by epoll_wait and by poll, is woken by another's
 * write. TWIN: nobody writes, and nobody else has the descriptors: a deadlock, found at once.
 */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event, set;

static void *writer(void *arg)
{
#ifndef TWIN
    uint64_t one = 1;
    if (write(event, &one, sizeof one) != sizeof one)
        return arg;
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    struct epoll_event wanted = {.events = EPOLLIN};
    event = eventfd(0, EFD_NONBLOCK);
    set = epoll_create1(0);
    epoll_ctl(set, EPOLL_CTL_ADD, event, &wanted);
    struct pollfd both[2] = {{.fd = event, .events = POLLIN}, {.fd = set, .events = POLLIN}};
    pthread_create(&thread, NULL, writer, NULL);
    if (poll(both, 2, -1) != 2 || epoll_wait(set, &wanted, 1, -1) != 1)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
