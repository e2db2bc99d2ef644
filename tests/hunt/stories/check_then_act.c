/* The limit is checked in one critical section, and the place taken in another.
   TELLS: int room = open < 1; .*reads open = 0 / unlocks lock, so that / writes open = 1 / locks
   lock / open <= 1 NEVER: served */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open, served[2];

static void *client(void *number)
{
    int *mine = number;
    pthread_mutex_lock(&lock);
    int room = open < 1;
    pthread_mutex_unlock(&lock);
    if (room) {
        pthread_mutex_lock(&lock);
        open++;
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 4; i++)
        ++*mine;
    return number;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, client, &served[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    int all = served[0] + served[1];
    assert(all == 8);
    assert(open <= 1);
    return 0;
}
