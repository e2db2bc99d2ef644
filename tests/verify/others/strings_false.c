// violation: fails the assertion
// The twin of strings.c in which what was there at first is held to be impossible.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char name[16] = "a";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *arg)
{
    pthread_mutex_lock(&m);
    strcat(name, "b");
    pthread_mutex_unlock(&m);
    return arg;
}

static void *replace(void *arg)
{
    pthread_mutex_lock(&m);
    assert(strchr(name, 'a'));
    strncpy(name, "xa", 4);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *look(void *arg)
{
    pthread_mutex_lock(&m);
    assert(strcmp(name, "ab") == 0 || strcmp(name, "xa") == 0 || memcmp(name, "xab", 4) == 0);
    assert(strlen(name) <= 3 && strstr(name, "a"));
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    static void *(*const jobs[])(void *) = {append, replace, look};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, jobs[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
