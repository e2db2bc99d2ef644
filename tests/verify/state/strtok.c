// says: not seen: accesses by strtok()
// strtok() goes on where any thread has left it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    char text[] = "a,b,c";
    int n = 0;
    for (char *s = strtok(text, ","); s; s = strtok(NULL, ","))
        n++;
    bad[i] = n != 3;
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
