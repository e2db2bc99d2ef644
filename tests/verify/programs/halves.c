// A plain value of 8 bytes is read in two halves; a pointer, with -DPOINTER, is not.
#include <pthread.h>
#include <stdio.h>

#ifdef POINTER
typedef char *value;
#define PRINT "%p\n"
#else
typedef unsigned long value;
#define PRINT "%#lx\n"
#endif

static value shared, seen;

static void *writer(void *arg)
{
    shared = (value)0x100000002;
    return arg;
}

static void *reader(void *arg)
{
    seen = shared;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf(PRINT, seen);
    return 0;
}
