// executions: 2
// models: sc tso pso c11
// Two threads take a word each of a text, and print it twice.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[] = "one two", *rest = text;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *which)
{
    pthread_mutex_lock(&mutex);
    char *word = strtok_r(NULL, " ", &rest);
    printf("%s: %s %s\n", (char *)which, word, word);
    word[0] = 'X';
    pthread_mutex_unlock(&mutex);
    return which;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, take, "a");
    pthread_create(&two, NULL, take, "b");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
