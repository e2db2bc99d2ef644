// hb: 0 7
// past: 0 7
// Double-checked locking: the object, found without the lock, may be empty.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct helper {
    int field;
};

static pthread_mutex_t mutex;
static struct helper *helper;

static struct helper *get(void)
{
    struct helper *found = helper;
    if (found)
        return found;
    pthread_mutex_lock(&mutex);
    found = helper;
    if (!found) {
        found = calloc(1, sizeof *found);
        found->field = 7;
        helper = found;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

static void *work(void *unused)
{
    get();
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_mutex_init(&mutex, NULL);
    pthread_create(&one, NULL, work, NULL);
    printf("%d\n", get()->field);
    pthread_join(one, NULL);
    pthread_mutex_destroy(&mutex);
    return 0;
}
