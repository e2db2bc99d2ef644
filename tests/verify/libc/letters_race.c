// race: name
// models: sc tso pso c11
// strcasecmp() reads the text when another thread writes it.
#include <pthread.h>
#include <string.h>
#include <strings.h>

static char name[] = "hello";
static int same;

static void *compare(void *unused)
{
    same = strcasecmp(name, "HELLO") == 0;
    return unused;
}

static void *change(void *unused)
{
    name[4] = 'x';
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, compare, NULL);
    pthread_create(&two, NULL, change, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
