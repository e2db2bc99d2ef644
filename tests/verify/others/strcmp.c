// executions: 2
// The string functions see what is in shared memory.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char name[8] = "one";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *rename_it(void *arg)
{
    pthread_mutex_lock(&m);
    strcpy(name, "three");
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, rename_it, NULL);
    pthread_mutex_lock(&m);
    assert(strcmp(name, "one") == 0 || strcmp(name, "three") == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return strcmp(name, "three") != 0;
}
