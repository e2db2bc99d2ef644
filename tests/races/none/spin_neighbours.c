// no race
/* Two spin locks in one granule, each with a variable of its own. */
#include "../race.h"

static pthread_spinlock_t locks[2] __attribute__((aligned(8)));
int x, y;

static void *a(void *unused)
{
    pthread_spin_lock(&locks[0]);
    x = 1;
    pthread_spin_unlock(&locks[0]);
    done(0);
    after(1);
    pthread_spin_lock(&locks[1]);
    y = 1;
    pthread_spin_unlock(&locks[1]);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_spin_lock(&locks[1]);
    y = 2;
    pthread_spin_unlock(&locks[1]);
    pthread_spin_lock(&locks[0]);
    x = 2;
    pthread_spin_unlock(&locks[0]);
    done(1);
    return unused;
}

int main(void)
{
    pthread_spin_init(&locks[0], PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&locks[1], PTHREAD_PROCESS_PRIVATE);
    run(a, b);
    return 0;
}
