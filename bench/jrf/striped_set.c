/* A hash set whose buckets share locks; the race is a size that buckets of two locks count. */
#include "two.h"

static int buckets[2];
static SHARED(int) size;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *add(void *arg)
{
    int key = *(int *)arg;
    pthread_mutex_lock(&locks[key % 2]);
    buckets[key % 2] = key + 1;
    size++;
    pthread_mutex_unlock(&locks[key % 2]);
    return arg;
}

int main(void)
{
    run_two(add, add);
    return 0;
}
