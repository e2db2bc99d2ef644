// An event loop on epoll, fed through eventfds by two threads; edge-triggered too.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { PER_THREAD = 5 };
static int feeds[2];

static void *work(void *arg)
{
    int fd = feeds[arg != NULL];
    for (int i = 0; i < PER_THREAD; i++)
        assert(eventfd_write(fd, 1) == 0);
    return NULL;
}

int main(void)
{
    int set = epoll_create1(0);
    for (int i = 0; i < 2; i++) {
        feeds[i] = eventfd(0, i ? EFD_NONBLOCK : 0);
        struct epoll_event want = {.events = EPOLLIN | (i ? EPOLLET : 0), .data.fd = feeds[i]};
        assert(epoll_ctl(set, EPOLL_CTL_ADD, feeds[i], &want) == 0);
    }
    struct epoll_event got[4];
    assert(epoll_wait(set, got, 4, 0) == 0 && epoll_wait(set, got, 4, 10) == 0);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, &set);
    uint64_t total = 0;
    while (total < 2 * PER_THREAD) {
        int n = epoll_pwait(set, got, 4, -1, NULL);
        assert(n > 0);
        for (int i = 0; i < n; i++) {
            eventfd_t value = 0;
            assert(eventfd_read(got[i].data.fd, &value) == 0);
            total += value;
        }
    }
    assert(total == 2 * PER_THREAD);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
