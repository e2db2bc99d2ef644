// race: numbers
// models: sc tso pso c11
// qsort() reads and writes the array when another thread reads it.
#include <pthread.h>
#include <stdlib.h>

static int numbers[] = {1, 0}, first;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *sort(void *unused)
{
    qsort(numbers, 2, sizeof *numbers, compare);
    return unused;
}

static void *look(void *unused)
{
    first = numbers[0];
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, sort, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
