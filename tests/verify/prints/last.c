// output: main one two
// output: main two one
// output: one main two
// output: one two main
// output: two main one
// output: two one main
// The last thread ends the program: all have printed.
#include <pthread.h>
#include <stdio.h>

static void *print(void *text)
{
    puts(text);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    static char one[] = "one", two[] = "two";
    pthread_create(&thread, NULL, print, one);
    pthread_detach(thread);
    pthread_create(&thread, NULL, print, two);
    pthread_detach(thread);
    puts("main");
    pthread_exit(NULL);
}
