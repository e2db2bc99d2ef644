/* The flag is set without the mutex, between the test and the wait.
   TELLS: reads closing = 0 / writes closing = 1 / found nobody waiting
   NEVER: lines */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wakeup = PTHREAD_COND_INITIALIZER;
static atomic_int closing;
static int lines;

static void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 4; i++)
        lines++;
    while (!atomic_load(&closing))
        pthread_cond_wait(&wakeup, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    atomic_store(&closing, 1);
    pthread_cond_signal(&wakeup);
    pthread_join(thread, 0);
    return 0;
}
