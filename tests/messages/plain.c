/* A race in every execution, whatever comes first. */
#include <pthread.h>

static int level;

static void *set(void *unused)
{
    level = 1;
    return unused;
}

static void *get(void *unused)
{
    return level ? unused : NULL;
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
