// executions: 2
// pthread_once: whoever comes first, the other one waits, and finds it done.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;

static void make(void)
{
    made++;
}

static void *use(void *arg)
{
    pthread_once(&once, make);
    assert(made == 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, use, NULL);
    pthread_create(&two, NULL, use, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
