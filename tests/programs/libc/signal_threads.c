// pthread_kill reaches exactly its thread, also while that waits for a lock or a condition.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { THREADS = 3 };
static pthread_t threads[THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int handled[THREADS];
static int go;

static void on_signal(int signo)
{
    (void)signo;
    for (int i = 0; i < THREADS; i++)
        if (pthread_equal(pthread_self(), threads[i]))
            atomic_fetch_add(&handled[i], 1);
}

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!go)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        assert(pthread_kill(threads[i], SIGUSR1) == 0);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        while (atomic_load(&handled[i]) == 0)
            ;
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(atomic_load(&handled[i]) == 1);
    return 0;
}
