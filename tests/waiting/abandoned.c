/*
 * A mutex on the stack that is left held is gone with its frame: one that is initialised at the
 * same address is another. TWIN: the same one is locked twice.
 */
#include <pthread.h>

static pthread_mutex_t lasting = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) int use(int leave)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
#ifdef TWIN
    pthread_mutex_t *mutex = &lasting;
#else
    pthread_mutex_t *mutex = &own;
    (void)lasting;
#endif
    if (pthread_mutex_trylock(mutex) != 0)
        return 1;
    if (!leave)
        pthread_mutex_unlock(mutex);
    return own.__data.__kind;
}

int main(void)
{
    return use(1) != 0 || use(0) != 0;
}
