// A thread follows a pointer that is stored only later, to memory that nobody may touch; the store
// comes only if the thread has told the other one to go on. With -DDEPENDS it has to read the
// pointer before it can tell.
#include <pthread.h>
#include <stddef.h>

static int go, seen, object;
static int *pointer = &object;

static void *first(void *arg)
{
#ifdef DEPENDS
    seen = *pointer;
    __atomic_store_n(&go, 1, __ATOMIC_SEQ_CST);
#else
    int *mine = pointer;
    go = 1;
    seen = *mine;
#endif
    return arg;
}

static void *second(void *arg)
{
#ifdef DEPENDS
    while (!__atomic_load_n(&go, __ATOMIC_SEQ_CST))
        ;
#endif
    pointer = NULL;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
