// expect: exit 0
// The initial thread leaves by pthread_exit, and whoever is last ends the program.
#include <pthread.h>

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    pthread_exit(NULL);
}
