// pthread_atfork handlers run around fork; the child finds locks, keys and counts as they were.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t sem;
static int runs;

static void prepare(void)
{
    pthread_mutex_lock(&guard);
}

static void after(void)
{
    pthread_mutex_unlock(&guard);
}

static void initialise(void)
{
    runs++;
}

static void child(void)
{
    int value;
    pthread_once(&once, initialise);
    assert(runs == 1);
    assert(pthread_mutex_trylock(&guard) == 0 && pthread_mutex_trylock(&held) == EBUSY);
    assert(pthread_mutex_unlock(&held) == 0 && pthread_mutex_trylock(&held) == 0);
    assert(pthread_getspecific(key) == &key);
    assert(sem_getvalue(&sem, &value) == 0 && value == 1);
    _exit(0);
}

int main(void)
{
    int status;
    assert(pthread_atfork(prepare, after, after) == 0);
    pthread_once(&once, initialise);
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &key);
    sem_init(&sem, 0, 2);
    sem_wait(&sem);
    pthread_mutex_lock(&held);
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0)
        child();
    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert(pthread_mutex_trylock(&guard) == 0);
    return 0;
}
