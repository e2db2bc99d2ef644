// race: mutex, read_lock, robust, spin, write_lock
/* Locks that one thread does not get, and another destroys, ordered by nothing: also that is a use.
 */
#include "../race.h"

pthread_mutex_t mutex, robust;
pthread_rwlock_t read_lock, write_lock;
pthread_spinlock_t spin;

static void hold(void)
{
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&read_lock);
    pthread_rwlock_wrlock(&write_lock);
    pthread_spin_lock(&spin);
}

static void let_go(void)
{
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&read_lock);
    pthread_rwlock_unlock(&write_lock);
    pthread_spin_unlock(&spin);
}

static void *tries(void *unused)
{
    after(0);
    if (pthread_mutex_trylock(&mutex) == 0 || pthread_rwlock_tryrdlock(&read_lock) == 0 ||
        pthread_rwlock_trywrlock(&write_lock) == 0 || pthread_spin_trylock(&spin) == 0 ||
        pthread_mutex_lock(&robust) == 0)
        abort();
    done(1);
    return unused;
}

static void destroy(void)
{
    pthread_mutex_destroy(&mutex);
    pthread_rwlock_destroy(&read_lock);
    pthread_rwlock_destroy(&write_lock);
    pthread_spin_destroy(&spin);
    pthread_mutex_destroy(&robust);
}

static void *destroys(void *unused)
{
    hold();
    done(0);
    after(1);
    let_go();
    destroy();
    return unused;
}

static void *dies(void *unused)
{
    pthread_mutex_lock(&robust);
    return unused;
}

/* Its owner has died, and nobody has made it consistent. */
static void lose(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_create(&thread, NULL, dies, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&robust);
    pthread_mutex_unlock(&robust);
}

int main(void)
{
    lose();
    pthread_mutex_init(&mutex, NULL);
    pthread_rwlock_init(&read_lock, NULL);
    pthread_rwlock_init(&write_lock, NULL);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    run(tries, destroys);
    return 0;
}
