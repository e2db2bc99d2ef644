// race: number
// models: sc tso pso c11
// sscanf() stores the number when another thread reads it.
#include <pthread.h>
#include <stdio.h>

static int number, copy;

static void *scan(void *unused)
{
    sscanf("1", "%d", &number);
    return unused;
}

static void *look(void *unused)
{
    copy = number;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, scan, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
