// race: status
// models: sc tso pso c11
// stat() stores to the structure when another thread reads it.
#include <pthread.h>
#include <sys/stat.h>

static struct stat status;
static int is_directory;

static void *ask(void *unused)
{
    stat("/", &status);
    return unused;
}

static void *look(void *unused)
{
    is_directory = S_ISDIR(status.st_mode);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, ask, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
