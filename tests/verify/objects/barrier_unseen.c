// executions: 2
// hb: 9
// Nobody looks at who is the serial thread but one: it is, or it is not.
#include <pthread.h>

static pthread_barrier_t barrier;
static int serial;

static void *look(void *unused)
{
    serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *pass(void *unused)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&two, NULL, pass, NULL);
    pthread_create(&three, NULL, pass, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
