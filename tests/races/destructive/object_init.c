// race: barrier, c11_cond, c11_mutex, cond, mutex, read_lock, semaphore, spin, write_lock
/* Objects that one thread initialises and uses, and that another uses. That they order the uses
   among themselves does not order the initialisation. */
#include "../race.h"
#include <semaphore.h>
#include <threads.h>

pthread_mutex_t mutex;
pthread_cond_t cond;
pthread_barrier_t barrier;
pthread_rwlock_t read_lock, write_lock;
pthread_spinlock_t spin;
sem_t semaphore;
mtx_t c11_mutex;
cnd_t c11_cond;

static void use(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&cond);
    pthread_barrier_wait(&barrier);
    pthread_rwlock_rdlock(&read_lock);
    pthread_rwlock_unlock(&read_lock);
    pthread_rwlock_wrlock(&write_lock);
    pthread_rwlock_unlock(&write_lock);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    sem_post(&semaphore);
    mtx_lock(&c11_mutex);
    mtx_unlock(&c11_mutex);
    cnd_broadcast(&c11_cond);
}

static void *initialises(void *unused)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&cond, NULL);
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_rwlock_init(&read_lock, NULL);
    pthread_rwlock_init(&write_lock, NULL);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    mtx_init(&c11_mutex, mtx_plain);
    cnd_init(&c11_cond);
    done(0);
    return unused;
}

static void *uses(void *unused)
{
    after(0);
    use();
    return unused;
}

int main(void)
{
    run(initialises, uses);
    return 0;
}
