/* Published before it is complete; all under locks.
   TELLS: reads level = 0 / writes level = 7 / exit status 1
   NEVER: other */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int published, level, seen = 7, other;

static void *install(void *unused)
{
    pthread_mutex_lock(&lock);
    published = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    level = 7;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *use(void *unused)
{
    pthread_mutex_lock(&lock);
    if (published)
        seen = level;
    for (int i = 0; i < 4; i++)
        other++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, install, 0);
    pthread_create(&threads[1], 0, use, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < 4; i++)
        other++;
    return seen != 7;
}
