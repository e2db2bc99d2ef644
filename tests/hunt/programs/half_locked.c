/*
 * Two fields are stored under a lock, and loaded without it.
 *
 * hunt: pair.second destructive sc
 * says: set() holds lock, get() holds no lock
 * says: what to do: Take the lock that set() holds in get(), too
 */
#include <assert.h>
#include <pthread.h>

struct pair {
    int first, second;
};
static struct pair pair;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *unused)
{
    pthread_mutex_lock(&lock);
    pair.first = 1;
    pair.second = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *get(void *unused)
{
    int first = pair.first, second = pair.second;
    assert(first == second);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, get, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
