// no race
/* A spin lock on both sides. */
#include "../race.h"

int x;
static pthread_spinlock_t spin;

static void *a(void *unused)
{
    pthread_spin_lock(&spin);
    x = 1;
    pthread_spin_unlock(&spin);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_spin_lock(&spin);
    x = 2;
    pthread_spin_unlock(&spin);
    return unused;
}

int main(void)
{
    pthread_spin_init(&spin, 0);
    run(a, b);
    return 0;
}
