/*
 * A text is copied, and a flag says that it is there. verify sees the bytes that strcpy and strcmp
 * access one by one, and may reorder them as any others.
 *
 * hunt: code[] destructive pso
 * hunt: ready destructive hb
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char code[4];
static int ready;

static void *put(void *unused)
{
    strcpy(code, "EUR");
    ready = 1;
    return unused;
}

static void *get(void *unused)
{
    if (ready)
        assert(strcmp(code, "EUR") == 0);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, put, NULL);
    pthread_create(&threads[1], NULL, get, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
