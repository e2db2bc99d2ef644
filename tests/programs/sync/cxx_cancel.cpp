// Cancellation and pthread_exit unwind C++ frames: destructors run, catch (...) sees it pass.
#include <cassert>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int destroyed, caught, thread_local_destroyed;

struct Guard {
    ~Guard()
    {
        destroyed++;
    }
};

struct Local {
    int value = 1;
    ~Local()
    {
        assert(destroyed % 2 == 0);
        thread_local_destroyed++;
    }
};
static thread_local Local local;

static void inner(void *result)
{
    Guard guard;
    if (result)
        pthread_exit(result);
    for (;;)
        sem_wait(&never);
}

static void *work(void *arg)
{
    Guard guard;
    local.value = 2;
    try {
        inner(arg);
    } catch (...) {
        caught++;
        throw;
    }
    return nullptr;
}

int main()
{
    pthread_t thread;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&thread, nullptr, work, &never);
    assert(pthread_join(thread, &result) == 0 && result == &never);
    assert(destroyed == 2 && caught == 1 && thread_local_destroyed == 1);
    pthread_create(&thread, nullptr, work, nullptr);
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    assert(destroyed == 4 && caught == 2);
    return 0;
}
