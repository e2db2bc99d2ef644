/* Two threads and about thirty events: an execution whose cost is that of starting it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add(&shared, 1);
        pthread_mutex_lock(&lock);
        guarded++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    return shared + guarded == 8 ? 0 : 1;
}
