// no race
/* One thread reads bytes of eight, releases, and reads others; another has seen the earlier reading
   when it writes what that read. */
#include "../race.h"

_Alignas(8) char text[8] = "abcdefg";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused)
{
    USE(text[1] + text[2]);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    USE(text[5] + text[2]);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    text[1] = 'x';
    text[7] = 'x';
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
