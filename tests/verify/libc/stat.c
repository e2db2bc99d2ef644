// executions: 2
// models: sc tso pso c11
// The twin of stat_race.c with a mutex. What stat() has stored is what is read.
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static struct stat status;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *ask(void *unused)
{
    pthread_mutex_lock(&mutex);
    stat("/", &status);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&mutex);
    assert(status.st_mode == 0 || S_ISDIR(status.st_mode));
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, ask, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
