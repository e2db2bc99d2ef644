/* A third thread waits, too: it is not part of the cycle. The cycle says all.
   TELLS: holds 'a' / wants 'b' / holds 'b' / wants 'a' / Lock both in one order
   NEVER: sum | No thread is left */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *forth(void *unused)
{
    pthread_mutex_lock(&a);
    sum++;
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *back(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    sum++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static void *bystander(void *unused)
{
    pthread_mutex_lock(&a);
    sum++;
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, forth, 0);
    pthread_create(&threads[1], 0, back, 0);
    pthread_create(&threads[2], 0, bystander, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
