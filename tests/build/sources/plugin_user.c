/* Loads the shared object named on its command line, and runs its work() on two threads. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    pthread_t thread;

    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    void *(*work)(void *) = (void *(*)(void *))dlsym(library, "work");
    int *counter = dlsym(library, "counter");
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", *counter);
    return dlclose(library);
}
