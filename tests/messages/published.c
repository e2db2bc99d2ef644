/* One fault, a pointer published without order: every field behind it races, too. */
#include <pthread.h>
#include <stdlib.h>

struct item {
    int width, height;
};
static struct item *shared;

static void *publish(void *unused)
{
    struct item *item = malloc(sizeof *item);
    item->width = 3;
    item->height = 4;
    shared = item;
    return unused;
}

static void *use(void *unused)
{
    struct item *item = shared;
    if (item && item->width * item->height != 12)
        abort();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, publish, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(shared);
    return 0;
}
