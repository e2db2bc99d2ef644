// Spin locks exclude; trylock of a held one says EBUSY.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int total;

static void *work(void *arg)
{
    for (int i = 0; i < 3; i++) {
        assert(pthread_spin_lock(&lock) == 0);
        total++;
        assert(pthread_spin_unlock(&lock) == 0);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 6);
    assert(pthread_spin_trylock(&lock) == 0 && pthread_spin_trylock(&lock) == EBUSY);
    assert(pthread_spin_unlock(&lock) == 0 && pthread_spin_destroy(&lock) == 0);
    return 0;
}
