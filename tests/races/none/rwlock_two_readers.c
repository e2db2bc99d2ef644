// no race
/* Two that write with a write lock. */
#include "../race.h"

int x;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *a(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_rwlock_wrlock(&lock);
    x = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
