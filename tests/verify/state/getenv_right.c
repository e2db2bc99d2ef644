// says: race-free, hence sequentially consistent
// Nothing that is called changes what threads share: the environment, the result of strtol(), and
// memory of the thread.
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    char text[8];
    strcpy(text, i ? "17" : "16");
    bad[i] = strtol(text, NULL, 10) != 16 + i || getenv("NO SUCH NAME") || !isdigit(text[0]);
    free(malloc(8));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, (void *)0);
    pthread_create(&two, NULL, work, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return bad[0] || bad[1];
}
