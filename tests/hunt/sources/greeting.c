/* Prints what its argument says, and fails if that is `fail`; a racy variable goes with it. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int shared;

static void *write_shared(void *arg)
{
    shared = 1;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    assert(argc > 1 && strcmp(argv[1], "fail") != 0);
    pthread_create(&thread, NULL, write_shared, NULL);
    printf("%s %s\n", argv[1], shared > 1 ? "never" : "always");
    pthread_join(thread, NULL);
    if (strcmp(argv[1], "seven") != 0)
        return 0;
    fprintf(stderr, "seven it is\n");
    return 7;
}
