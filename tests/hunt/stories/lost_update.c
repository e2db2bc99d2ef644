/* Each access is atomic, the addition is not.
   TELLS: reads done = 0 / reads done = 0 / writes done = 10 / writes done = 10 / exit status 1
   NEVER: scratch */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, scratch;

static void *work(void *unused)
{
    int before = atomic_load(&done);
    atomic_store(&done, before + 10);
    for (int i = 0; i < 6; i++)
        atomic_fetch_add(&scratch, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < 6; i++)
        atomic_load(&scratch);
    return atomic_load(&done) != 20;
}
