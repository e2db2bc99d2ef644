#include "lazy.h"

#include <stdatomic.h>

static atomic_int number;
static _Thread_local int pending;

static void flush(void)
{
    if (pending)
        atomic_store(&number, pending);
    pending = 0;
}

void lazy_reset(void)
{
    pending = 0;
    atomic_store(&number, 0);
}

void lazy_write(int value)
{
    flush();
    pending = value;
}

int lazy_read(void)
{
    flush();
    return atomic_load(&number);
}
