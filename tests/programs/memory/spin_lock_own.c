// A spin lock of the program's own: no policy may spin in it for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag held = ATOMIC_FLAG_INIT;
static int shared;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++) {
        while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
            continue;
        shared++;
        atomic_flag_clear_explicit(&held, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(shared == 20);
    return 0;
}
