/*
 * What a constructor and main are told of time, chance, identity and the processor. Everything is
 * printed: two executions of one seed print the same, and time does not run backwards.
 */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static struct timespec before;
static unsigned long chance, called, counter;
static void *self;
static long barriers;
static pid_t pid;

__attribute__((constructor)) static void constructor(void)
{
    clock_gettime(CLOCK_MONOTONIC, &before);
    getrandom(&chance, sizeof chance, 0);
    syscall(SYS_getrandom, &called, sizeof called, 0);
    /* The word at %fs:0 is its own address: the operand is an offset. */
    __asm__("movq %%fs:%1, %0" : "=r"(self) : "m"(*(void **)0));
    barriers = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    counter = __rdtsc();
    pid = getpid();
}

static void require(int holds, const char *what)
{
    if (holds)
        return;
    printf("FAILED: %s\n", what);
    exit(1);
}

int main(void)
{
    struct timespec now;
    struct rusage usage;
    unsigned long bytes;
    cpu_set_t set;
    clock_gettime(CLOCK_MONOTONIC, &now);
    getrusage(RUSAGE_SELF, &usage);
    memcpy(&bytes, (void *)getauxval(AT_RANDOM), sizeof bytes);
    require(now.tv_sec > before.tv_sec ||
                (now.tv_sec == before.tv_sec && now.tv_nsec >= before.tv_nsec),
            "time runs backwards");
    require(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) == barriers, "membarrier");
    require(__rdtsc() > counter, "the counter runs backwards");
    require(pid == getpid() && pid == gettid() && syscall(SYS_getpid) == pid, "pid");
    CPU_ZERO(&set);
    require(sched_getaffinity(gettid(), sizeof set, &set) == 0, "affinity of the thread");
    require(sched_setaffinity(getpid(), sizeof set, &set) == 0, "affinity of the process");
    void *again;
    __asm__("movq %%fs:%1, %0" : "=r"(again) : "m"(*(void **)0));
    require(self == *(void **)self && again == *(void **)again, "thread-local assembly");
    printf("%lx\n", called);
    printf("%ld.%09ld %ld.%09ld %lx %lx %lx %lx\n", before.tv_sec, before.tv_nsec, now.tv_sec,
           now.tv_nsec, chance, counter, (unsigned long)__rdtsc(), bytes);
    printf("%d %d %d %ld.%06ld\n", getpid(), getppid(), sched_getcpu(), usage.ru_utime.tv_sec,
           usage.ru_utime.tv_usec);
    return 0;
}
