// executions: 2
// A spin lock: two holders in either order.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *add(void *arg)
{
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
