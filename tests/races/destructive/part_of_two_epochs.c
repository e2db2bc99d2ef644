// race: first[], second[]
/* One thread reads bytes of eight, releases, and reads others; another has seen neither reading
   when it writes a byte of the earlier, and the earlier when it writes one of the later. */
#include "../race.h"

_Alignas(8) char first[8] = "abcdefg";
_Alignas(8) char second[8] = "abcdefg";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    USE(first[1] + second[1]);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    USE(first[5] + second[5]);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    first[1] = 'x';
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    second[5] = 'x';
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
