// no race
/* pthread_once. */
#include "../race.h"

int value;
static pthread_once_t control = PTHREAD_ONCE_INIT;

static void make(void)
{
    value = 42;
}

static void *a(void *unused)
{
    pthread_once(&control, make);
    USE(value);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    pthread_once(&control, make);
    USE(value);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
