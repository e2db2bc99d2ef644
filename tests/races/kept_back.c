/* After its post the thread writes once more. Unless it is kept back there, main's many critical
   sections are ordered after that. TWIN: it writes before the post. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int result;

static void pass(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *work(void *arg)
{
#ifdef TWIN
    result = 1;
#endif
    sem_post(&done);
#ifndef TWIN
    result = 1;
#endif
    pass();
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&done);
    for (int i = 0; i < 30; i++)
        pass();
    result = 2;
    pthread_join(thread, NULL);
    return 0;
}
