// race: x
/* A home-made lock, told of as ThreadSanitizer wants it; one side did not get it. */
#include "../race.h"

void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags);

int x, lock;

static void *a(void *unused)
{
    __tsan_mutex_post_lock(&lock, 0, 0);
    x = 1;
    __tsan_mutex_pre_unlock(&lock, 0);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    __tsan_mutex_post_lock(&lock, 1 << 5 /* failed */, 0);
    x = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
