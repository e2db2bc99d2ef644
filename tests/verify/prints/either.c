// output: first
// output: first second
// output: second
// output: second first
// Two threads print and end the program.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *leave(void *text)
{
    puts(text);
    exit(0);
}

int main(void)
{
    pthread_t threads[2];
    static char first[] = "first", second[] = "second";
    pthread_create(&threads[0], NULL, leave, first);
    pthread_create(&threads[1], NULL, leave, second);
    pthread_join(threads[0], NULL);
    return 0;
}
