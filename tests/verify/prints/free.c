// output: a b c d
// output: a c b d
// output: a c d b
// output: c a b d
// output: c a d b
// output: c d a b
// Nothing orders the two threads; each prints twice, without an event between.
#include <pthread.h>
#include <stdio.h>

static void *print(void *text)
{
    puts(text);
    printf("%c\n", *(char *)text + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    static char first[] = "a", second[] = "c";
    pthread_create(&threads[0], NULL, print, first);
    pthread_create(&threads[1], NULL, print, second);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
