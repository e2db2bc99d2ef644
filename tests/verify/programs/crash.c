// Checks a pointer, and reads it again to follow it: the second read may see NULL. With -DONCE
// the pointer is read once.
#include <pthread.h>
#include <stddef.h>

static int object = 1, seen;
static int *shared;

static void *writer(void *arg)
{
    shared = &object;
    return arg;
}

static void *reader(void *arg)
{
#ifdef ONCE
    int *mine = shared;
    if (mine)
        seen = *mine;
#else
    if (shared)
        seen = *shared;
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
