/* An object is published before it is filled in: the pointer is atomic, the field is not. */
#include "two.h"

struct data {
    int x;
};
static _Atomic(struct data *) published;

static void *producer(void *arg)
{
    struct data *new = calloc(1, sizeof *new);
#ifdef FIXED
    new->x = 1;
    published = new;
#else
    published = new;
    new->x = 1;
#endif
    return arg;
}

static void *consumer(void *arg)
{
    struct data *seen = published;
    int x = seen ? seen->x : 1;
    (void)x;
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
