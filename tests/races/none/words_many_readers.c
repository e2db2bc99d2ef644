// no race
/* Neighbours that several threads read, again and again between locks: each renews its marks.
   The write at the end is ordered behind all reads. */
#include "../race.h"

struct Point {
    long x, y, z;
} *point;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void look(void)
{
    USE(point->x + point->y + point->z);
}

static void *a(void *unused)
{
    for (int i = 0; i < 10; i++) {
        look();
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    done(0);
    after(1);
    look();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    done(2);
    return unused;
}

static void *b(void *unused)
{
    look();
    after(0);
    look();
    done(1);
    after(2);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    point->y = 1;
    return unused;
}

int main(void)
{
    point = calloc(1, sizeof *point);
    run(a, b);
    free(point);
    return 0;
}
