// executions: 1
// models: sc tso pso c11
// The twin of printed_race.c: what the precision leaves out is not read.
#include <pthread.h>
#include <stdio.h>

static char text[] = "hello";

static void *print(void *unused)
{
    printf("%2$.*1$s\n", 4, text);
    return unused;
}

static void *change(void *unused)
{
    text[4] = 'x';
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, print, NULL);
    pthread_create(&two, NULL, change, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
