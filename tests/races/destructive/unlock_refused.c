// race: value
/* An unlock that libc refuses orders nothing. */
#include "../race.h"
#include <errno.h>

static pthread_mutex_t checked;
static int value;

static void *a(void *unused)
{
    pthread_mutex_lock(&checked);
    value++;
    pthread_mutex_unlock(&checked);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    if (pthread_mutex_unlock(&checked) != EPERM)
        abort();
    value++;
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    run(a, b);
    return 0;
}
