// no race
/* C11 threads, one after the other. */
#include "../race.h"
#include <threads.h>

int x;

static int body(void *value)
{
    x = *(int *)value;
    done(0);
    return 0;
}

int main(void)
{
    thrd_t thread;
    int value = 1;
    thrd_create(&thread, body, &value);
    after(0);
    thrd_join(thread, NULL);
    x = 2;
    return 0;
}
