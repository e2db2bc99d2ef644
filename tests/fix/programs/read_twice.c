/*
 * A value is read in one section and written back in another.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&add_lock);
 * nothing to hide: no race
 */
#include "pair.h"

struct sum {
    pthread_mutex_t lock;
    int value;
};

static struct sum sum = {.lock = PTHREAD_MUTEX_INITIALIZER};

int get(struct sum *s)
{
    pthread_mutex_lock(&s->lock);
    int value = s->value;
    pthread_mutex_unlock(&s->lock);
    return value;
}

void set(struct sum *s, int value)
{
    pthread_mutex_lock(&s->lock);
    s->value = value;
    pthread_mutex_unlock(&s->lock);
}

void add(struct sum *s, int n)
{
    int old = get(s);
    set(s, old + n);
}

static void *work(void *arg)
{
    add(&sum, 1);
    return arg;
}

int main(void)
{
    run_pair(work, work);
    return sum.value != 2;
}
