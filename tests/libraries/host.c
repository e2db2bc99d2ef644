/*
 * Loads the library that its argument names, has two threads call it, closes it, and once more. A
 * second argument: twice from two libraries, in the other order.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef void function(void);

static void *call(void *arg)
{
    ((function *)arg)();
    return NULL;
}

static void use(const char *path)
{
    pthread_t threads[2];
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    void *bump = dlsym(library, "bump");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, call, bump);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    dlclose(library);
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        use(argv[i]);
    use(argv[1]);
    puts("closed");
    return 0;
}
