// hb: 0 5 none
// past: 0 5 none
// How many there are may be seen before what there is.
#include <pthread.h>
#include <stdio.h>

static int items[4], n;

static void *add(void *unused)
{
    items[n] = 5;
    n++;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, add, NULL);
    int count = n;
    if (count)
        printf("%d\n", items[count - 1]);
    else
        puts("none");
    pthread_join(one, NULL);
    return 0;
}
