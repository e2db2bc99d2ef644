// expect: unlock-by-other
// native: no
// libc lets any thread unlock a normal mutex; POSIX does not.
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
    pthread_join(thread, NULL);
    assert(data == 7);
    return 0;
}
