/* libevent: another thread activates an event and ends the loop. */
#include <assert.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>
#include <stddef.h>

static struct event_base *base;
static struct event *event, *last;
static int called;

static void count(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    (void)arg;
    called++;
}

static void leave(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    event_base_loopbreak(arg);
}

static void *activate(void *arg)
{
    event_active(event, EV_READ, 1);
    event_active(event, EV_READ, 1);
    event_active(last, EV_READ, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    assert(evthread_use_pthreads() == 0);
    base = event_base_new();
    event = event_new(base, -1, EV_PERSIST, count, NULL);
    last = event_new(base, -1, EV_PERSIST, leave, base);
    struct timeval hour = {3600, 0};
    event_add(event, &hour);
    pthread_create(&thread, NULL, activate, NULL);
    assert(event_base_dispatch(base) >= 0);
    pthread_join(thread, NULL);
    assert(called >= 1);
    event_free(event);
    event_free(last);
    event_base_free(base);
    return 0;
}
