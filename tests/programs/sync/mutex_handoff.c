// A normal mutex may be unlocked by a thread that did not lock it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *open_gate(void *arg)
{
    data = 7;
    assert(pthread_mutex_unlock(&gate) == 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&gate);
    pthread_create(&thread, NULL, open_gate, NULL);
    pthread_mutex_lock(&gate);
    assert(data == 7);
    pthread_mutex_unlock(&gate);
    pthread_join(thread, NULL);
    return 0;
}
