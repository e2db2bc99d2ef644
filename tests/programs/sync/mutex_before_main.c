// Objects used by a constructor, before the execution is under control, keep their state.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t read_held = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t sem;
static int initialised, destroyed;

static void initialise(void)
{
    initialised++;
}

static void destroy(void *value)
{
    (void)value;
    destroyed++;
}

__attribute__((constructor)) static void early(void)
{
    pthread_mutex_lock(&held);
    pthread_rwlock_rdlock(&read_held);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&spin);
    pthread_once(&once, initialise);
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &key);
    sem_init(&sem, 0, 2);
    sem_wait(&sem);
}

static void *other(void *arg)
{
    assert(pthread_mutex_trylock(&held) == EBUSY);
    assert(pthread_rwlock_trywrlock(&read_held) == EBUSY);
    assert(pthread_spin_trylock(&spin) == EBUSY);
    assert(!pthread_getspecific(key));
    pthread_setspecific(key, &sem);
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int value;
    pthread_create(&thread, NULL, other, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    assert(destroyed == 1 && pthread_getspecific(key) == &key);
    pthread_once(&once, initialise);
    assert(initialised == 1);
    assert(sem_getvalue(&sem, &value) == 0 && value == 1);
    assert(pthread_mutex_unlock(&held) == 0 && pthread_mutex_trylock(&held) == 0);
    assert(pthread_rwlock_unlock(&read_held) == 0 && pthread_rwlock_trywrlock(&read_held) == 0);
    assert(pthread_spin_unlock(&spin) == 0 && pthread_spin_trylock(&spin) == 0);
    return 0;
}
