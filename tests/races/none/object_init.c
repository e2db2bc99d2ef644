// no race
/* Objects that one thread initialises, all use and the last destroys; the memory of one is used
   again. */
#include "../race.h"
#include <semaphore.h>
#include <stdatomic.h>

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_barrier_t barrier;
    pthread_rwlock_t lock;
    pthread_spinlock_t spin;
    sem_t semaphore;
    int users, ready;
};

static void begin(struct shared *shared)
{
    pthread_mutex_init(&shared->mutex, NULL);
    pthread_cond_init(&shared->cond, NULL);
    pthread_barrier_init(&shared->barrier, NULL, 2);
    pthread_rwlock_init(&shared->lock, NULL);
    pthread_spin_init(&shared->spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&shared->semaphore, 0, 1);
    shared->users = 2;
    shared->ready = 0;
}

static void end(struct shared *shared)
{
    pthread_mutex_destroy(&shared->mutex);
    pthread_cond_destroy(&shared->cond);
    pthread_barrier_destroy(&shared->barrier);
    pthread_rwlock_destroy(&shared->lock);
    pthread_spin_destroy(&shared->spin);
    sem_destroy(&shared->semaphore);
}

/* A waiter that was woken may still be inside of the wait when the condition is destroyed, a thread
   inside of barrier_wait when another has left it, and the mutex be given up by its last user. */
static void use(struct shared *shared)
{
    pthread_rwlock_rdlock(&shared->lock);
    pthread_rwlock_unlock(&shared->lock);
    pthread_rwlock_wrlock(&shared->lock);
    pthread_rwlock_unlock(&shared->lock);
    pthread_spin_lock(&shared->spin);
    pthread_spin_unlock(&shared->spin);
    sem_wait(&shared->semaphore);
    sem_post(&shared->semaphore);
    pthread_barrier_wait(&shared->barrier);
    pthread_mutex_lock(&shared->mutex);
    if (!shared->ready) {
        while (!shared->ready) {
            shared->ready = 1;
            pthread_cond_wait(&shared->cond, &shared->mutex);
        }
    } else {
        shared->ready = 2;
        pthread_cond_signal(&shared->cond);
    }
    int last = --shared->users == 0;
    pthread_mutex_unlock(&shared->mutex);
    if (last)
        end(shared);
}

static struct shared global;
static _Atomic(struct shared *) published;

static void *makes(void *unused)
{
    struct shared *shared = malloc(sizeof *shared);
    begin(shared);
    atomic_store_explicit(&published, shared, memory_order_release);
    use(&global);
    use(shared);
    return unused;
}

static void *takes(void *unused)
{
    struct shared *shared;
    use(&global);
    while (!(shared = atomic_load_explicit(&published, memory_order_acquire)))
        sched_yield();
    use(shared);
    return unused;
}

/* Its memory is on the stack; its users are gone when the post is taken. */
static void *posts(void *semaphore)
{
    sem_post(semaphore);
    return NULL;
}

static void on_the_stack(void)
{
    pthread_t thread;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, posts, &semaphore);
    sem_wait(&semaphore);
    sem_destroy(&semaphore);
    pthread_detach(thread);
}

int main(void)
{
    begin(&global);
    run(makes, takes);
    free(published);
    begin(&global); /* again */
    end(&global);
    on_the_stack();
    on_the_stack();
    return 0;
}
