/*
 * main does its share of the work by calling the start routine of its thread.
 *
 * expect: set=total unit=work pattern=1,2,3,4,5
 *
 * That is no other unit than the thread's: the two may take turns, if each turn is one hold of the
 * lock.
 */
#include "../program.h"

struct total {
    pthread_mutex_t lock;
    int value;
};

static struct total total = {.lock = MONITOR};

static void *work(void *unused)
{
    for (int i = 0; i < 3; i++) {
        repair_lock(&total.lock);
        total.value++;
        repair_unlock(&total.lock);
    }
    return unused;
}

int main(void)
{
    pthread_t other;

    if (pthread_create(&other, NULL, work, NULL) != 0)
        abort();
    work(NULL);
    pthread_join(other, NULL);
    assert(total.value == 6);
    return 0;
}
