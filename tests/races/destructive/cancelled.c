// race: x
/* What a thread does after pthread_cancel may come at the same time as the cleanup handlers. */
#include "../race.h"

int x;
static pthread_t cancelled;

static void clean(void *unused)
{
    USE(unused);
    USE(x);
}

static void *sleep_for_ever(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    done(0);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_create(&cancelled, NULL, sleep_for_ever, NULL);
    after(0);
    pthread_cancel(cancelled);
    x = 1;
    pthread_join(cancelled, NULL);
    return 0;
}
