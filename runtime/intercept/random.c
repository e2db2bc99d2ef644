/*
 * random.c - reproducible random numbers.
 *
 * rand() is deterministic in the program's calls of srand(), as long as no other thread
 * intervenes; libc's generators are used, behind a scheduling point, because the threads share
 * them. Random numbers of the kernel or the processor (getrandom, arc4random, /dev/urandom,
 * std::random_device) are replaced by those of the execution's own stream, which depends on the
 * seed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "runtime/choice.h"
#include "runtime/init.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/real.h"

/* Constructors run once for all executions of a fork server: their numbers do not depend on the
   seed. */
static uint64_t starting_random(void)
{
    static uint64_t state;
    uint64_t mixed = (state += 0x9e3779b97f4a7c15u); /* SplitMix64 */
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

static uint64_t next_random(void)
{
    return sm_self() ? sm_program_random() : starting_random();
}

void sm_random_fill(void *to, size_t size)
{
    char *bytes = to;
    while (size) {
        uint64_t value = next_random();
        size_t n = size < sizeof value ? size : sizeof value;
        memcpy(bytes, &value, n);
        bytes += n;
        size -= n;
    }
}

/* A call that draws from a stream shared by all threads. */
static struct sm_event begin(void *pc)
{
    struct sm_event event = {0};
    if (!sm_self())
        return event;
    event = sm_sync_event(SM_EV_SYSCALL, NULL, 0, pc);
    sm_point(&event);
    return event;
}

static uint64_t end(struct sm_event *event, uint64_t value)
{
    event->value = value;
    if (sm_self())
        sm_sync(event);
    return value;
}

/* ---- libc's generators, whose state is shared by all threads ---- */

SM_EXPORT int rand(void)
{
    SM_PASS(rand);
    struct sm_event event = begin(SM_CALLER());
    return (int)end(&event, (uint64_t)SM_REAL(rand)());
}

SM_EXPORT void srand(unsigned seed)
{
    if (sm_self()) {
        sm_engine_called("srand");
        struct sm_event event = begin(SM_CALLER());
        end(&event, seed);
    }
    SM_REAL(srand)(seed);
}

SM_EXPORT long random(void)
{
    SM_PASS(random);
    struct sm_event event = begin(SM_CALLER());
    return (long)end(&event, (uint64_t)SM_REAL(random)());
}

SM_EXPORT void srandom(unsigned seed)
{
    if (sm_self()) {
        sm_engine_called("srandom");
        struct sm_event event = begin(SM_CALLER());
        end(&event, seed);
    }
    SM_REAL(srandom)(seed);
}

SM_EXPORT double drand48(void)
{
    SM_PASS(drand48);
    struct sm_event event = begin(SM_CALLER());
    double result = SM_REAL(drand48)();
    uint64_t bits;
    memcpy(&bits, &result, sizeof bits);
    end(&event, bits);
    return result;
}

SM_EXPORT long lrand48(void)
{
    SM_PASS(lrand48);
    struct sm_event event = begin(SM_CALLER());
    return (long)end(&event, (uint64_t)SM_REAL(lrand48)());
}

SM_EXPORT long mrand48(void)
{
    SM_PASS(mrand48);
    struct sm_event event = begin(SM_CALLER());
    return (long)end(&event, (uint64_t)SM_REAL(mrand48)());
}

SM_EXPORT void srand48(long seed)
{
    if (sm_self()) {
        struct sm_event event = begin(SM_CALLER());
        end(&event, (uint64_t)seed);
    }
    SM_REAL(srand48)(seed);
}

/* ---- the kernel's and the processor's ---- */

SM_EXPORT ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    SM_PASS_INPUT(getrandom, buffer, size, flags);
    struct sm_event event = begin(SM_CALLER());
    sm_random_fill(buffer, size);
    return (ssize_t)end(&event, size);
}

SM_EXPORT int getentropy(void *buffer, size_t size)
{
    SM_PASS_INPUT(getentropy, buffer, size);
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    struct sm_event event = begin(SM_CALLER());
    sm_random_fill(buffer, size);
    end(&event, size);
    return 0;
}

static uint32_t word(void *pc)
{
    struct sm_event event = begin(pc);
    return (uint32_t)end(&event, (uint32_t)next_random());
}

SM_EXPORT uint32_t arc4random(void)
{
    SM_PASS_INPUT(arc4random);
    return word(SM_CALLER());
}

SM_EXPORT uint32_t arc4random_uniform(uint32_t bound)
{
    SM_PASS_INPUT(arc4random_uniform, bound);
    return bound < 2 ? 0 : word(SM_CALLER()) % bound;
}

SM_EXPORT void arc4random_buf(void *buffer, size_t size)
{
    if (!sm_self() && !sm_starting()) {
        SM_REAL(arc4random_buf)(buffer, size);
        return;
    }
    struct sm_event event = begin(SM_CALLER());
    sm_random_fill(buffer, size);
    end(&event, size);
}

/* std::random_device::_M_getval, which uses the processor (rdrand) inside libstdc++. */
SM_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void *device)
{
    SM_PASS_INPUT(_ZNSt13random_device9_M_getvalEv, device);
    return word(SM_CALLER());
}

/* rdrand and rdseed, if the program uses them directly: plugin/prepare.c. */
SM_EXPORT uint64_t sm_rdrand(void);
SM_EXPORT uint64_t sm_rdrand(void)
{
    uint64_t value = 0;
    if (!sm_self() && !sm_starting()) {
        sm_syscall(SYS_getrandom, &value, sizeof value, 0L);
        return value;
    }
    struct sm_event event = begin(SM_CALLER());
    return end(&event, next_random());
}
