/*
 * A snapshot is taken without the lock that the writer holds, in a function of one line: the lock
 * is to be held for all of it, not for the assertion.
 *
 * fix: { pthread_mutex_lock(&mutex); struct stats copy
 * fix: pthread_mutex_unlock(&mutex); return arg;
 * hides
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct stats {
    long n, bytes, rest[6];
};
static struct stats stats;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        stats.n++;
        stats.bytes += 10;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

/* clang-format off */
static void *look(void *arg) { struct stats copy; memcpy(&copy, &stats, sizeof copy); assert(copy.bytes == copy.n * 10); return arg; }
/* clang-format on */

int main(void)
{
    pthread_t counter, looker;
    pthread_create(&counter, NULL, count, NULL);
    pthread_create(&looker, NULL, look, NULL);
    pthread_join(counter, NULL);
    pthread_join(looker, NULL);
    return 0;
}
