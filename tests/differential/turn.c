#include "program.h"

#ifdef NATIVE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sleeps in the kernel, which the detector does not look at: threads that spin would take the time
   of the one whose turn it is. */
static void wait_for(unsigned *word)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void wake(unsigned *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
#else
#include <sched.h>

/* Under control a futex would order the turns. */
static void wait_for(unsigned *word)
{
    (void)word;
    sched_yield();
}

static void wake(unsigned *word)
{
    (void)word;
}
#endif

static unsigned begun[MOST_OPERATIONS + 1] = {1};

void turn_await(unsigned turn)
{
    /* acquire, release: what was done in the turns before is done */
    while (!__atomic_load_n(&begun[turn], __ATOMIC_ACQUIRE))
        wait_for(&begun[turn]);
}

void turn_pass(unsigned turn)
{
    __atomic_store_n(&begun[turn], 1, __ATOMIC_RELEASE);
    wake(&begun[turn]);
}

void turn_peek(void *to, const void *from, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
}
