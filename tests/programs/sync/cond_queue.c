// A bounded queue on two condition variables: everything that goes in comes out, in order.
#include <assert.h>
#include <pthread.h>

enum { ROOM = 2, ITEMS = 8 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], head, count;

static void put(int item)
{
    pthread_mutex_lock(&mutex);
    while (count == ROOM)
        pthread_cond_wait(&not_full, &mutex);
    queue[(head + count++) % ROOM] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int get(void)
{
    pthread_mutex_lock(&mutex);
    while (count == 0)
        pthread_cond_wait(&not_empty, &mutex);
    int item = queue[head];
    head = (head + 1) % ROOM;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++)
        put(i);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 0; i < ITEMS; i++)
        assert(get() == i);
    pthread_join(thread, NULL);
    assert(pthread_cond_destroy(&not_full) == 0 && pthread_cond_destroy(&not_empty) == 0);
    return 0;
}
