// executions: 6
// A thread frees what another one, with a larger number, has allocated.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *data;

static void *renew(void *unused)
{
    pthread_mutex_lock(&m);
    free(data);
    data = calloc(2, sizeof *data);
    data[1] = 7;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&m);
    int seen = data ? data[1] : 7;
    pthread_mutex_unlock(&m);
    return seen == 7 ? unused : NULL;
}

int main(void)
{
    pthread_t one, two, three;
    void *result;
    pthread_create(&one, NULL, renew, NULL);
    pthread_create(&two, NULL, look, &m);
    pthread_create(&three, NULL, renew, NULL);
    pthread_join(one, NULL);
    pthread_join(two, &result);
    pthread_join(three, NULL);
    return result != &m;
}
