// executions: 3
// trylock before, while it is held, and behind.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *increment(void *unused)
{
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one;
    int mine = 0;
    pthread_spin_init(&lock, 0);
    pthread_create(&one, NULL, increment, NULL);
    if (pthread_spin_trylock(&lock) == 0) {
        x++;
        mine = 1;
        pthread_spin_unlock(&lock);
    }
    pthread_join(one, NULL);
    assert(x == 1 + mine);
    return 0;
}
