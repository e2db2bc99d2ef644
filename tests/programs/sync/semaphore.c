// Semaphores count: never more inside than there is room, every post releases one.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t room;
static atomic_int inside;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        assert(sem_wait(&room) == 0);
        assert(++inside <= 2);
        inside--;
        assert(sem_post(&room) == 0);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[4];
    int value;
    assert(sem_init(&room, 0, 2) == 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(sem_getvalue(&room, &value) == 0 && value == 2);
    assert(sem_trywait(&room) == 0 && sem_trywait(&room) == 0);
    assert(sem_trywait(&room) == -1 && errno == EAGAIN);
    assert(sem_destroy(&room) == 0);
    assert(sem_init(&room, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&room) == -1 && errno == EOVERFLOW);
    return 0;
}
