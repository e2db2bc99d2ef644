// race: text
// models: sc tso pso c11
// printf() reads the text when another thread writes it.
#include <pthread.h>
#include <stdio.h>

static char text[] = "hello";

static void *print(void *unused)
{
    printf("%d %s\n", 1, text);
    return unused;
}

static void *change(void *unused)
{
    text[0] = 'j';
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
