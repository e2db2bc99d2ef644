// race: polled
// models: sc tso pso c11
// poll() stores what it has seen when another thread reads it.
#include <poll.h>
#include <pthread.h>

static struct pollfd polled[1] = {{-1, POLLIN, 0}};
static int seen;

static void *wait_for(void *unused)
{
    poll(polled, 1, 0);
    return unused;
}

static void *look(void *unused)
{
    seen = polled[0].revents;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_for, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
