#include <assert.h>
#include <pthread.h>
#include <stdio.h>
void publish(int value);
int consume(void);
static int value;
static void *writer(void *unused)
{
    publish(value);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    FILE *file = fopen(argv[1], "r");
    if (argc != 2 || !file || fscanf(file, "%d", &value) != 1)
        return 2;
    pthread_create(&thread, NULL, writer, NULL);
    int got = consume();
    assert(got == -1 || got == value);
    pthread_join(thread, NULL);
    return 0;
}
