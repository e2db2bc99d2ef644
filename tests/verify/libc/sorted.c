// executions: 2
// models: sc tso pso c11
// The twin of sorted_race.c with a mutex: the array is sorted, whoever comes first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int numbers[] = {3, 1, 4, 1, 5};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    numbers[4] = 2;
    qsort(numbers, 5, sizeof *numbers, compare);
    for (int i = 1; i < 5; i++)
        assert(numbers[i - 1] <= numbers[i]);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
