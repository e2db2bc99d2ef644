// locks a mutex on the heap twice
#include <pthread.h>
#include <stdlib.h>
int main(void)
{
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    pthread_mutex_lock(lock);
    pthread_mutex_lock(lock);
    return 0;
}
