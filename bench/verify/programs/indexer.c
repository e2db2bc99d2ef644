/* N threads put four messages each into a shared hash table (Flanagan and Godefroid, 2005). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 15
#endif
enum { SIZE = 128, MAX = 4 };
static atomic_int table[SIZE];

static void *insert(void *arg)
{
    int thread = (int)(intptr_t)arg;
    for (int m = 1; m <= MAX; m++) {
        int w = m * 11 + thread;
        int h = (w * 7) % SIZE;
        int expected = 0;
        while (!atomic_compare_exchange_strong(&table[h], &expected, w)) {
            h = (h + 1) % SIZE;
            expected = 0;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, insert, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
