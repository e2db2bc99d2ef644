// violation: unlock-not-held
// The twin of heap_mutex.c: nobody has locked the mutex that is unlocked.
#include <pthread.h>
#include <stdlib.h>

static struct box {
    int pad;
    pthread_mutex_t mutex;
    int value;
} *box;
static pthread_mutex_t top = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused)
{
    pthread_mutex_lock(&top);
    struct box *mine = box;
    pthread_mutex_unlock(&top);
    pthread_mutex_unlock(&mine->mutex);
    return unused;
}

static void *replace(void *unused)
{
    struct box *new = calloc(1, sizeof *new);
    pthread_mutex_lock(&top);
    box = new;
    pthread_mutex_unlock(&top);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    box = calloc(1, sizeof *box);
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    pthread_create(&threads[2], NULL, replace, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
