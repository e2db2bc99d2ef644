/*
 * bare.c - the yardsticks: what the operating system and the processor charge by themselves.
 *
 * Prints one `name nanoseconds` a line: a hand-over between two kernel threads by futex, a
 * switch of stacks, and a fork with its wait.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HANDOVERS = 100000, SWITCHES = 20000000, FORKS = 2000, STACK = 65536 };

void bare_switch(void **save, void *load);

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static atomic_int turn;

static void futex(int op, int value)
{
    syscall(SYS_futex, &turn, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void *hand_over(void *arg)
{
    int me = (int)(intptr_t)arg;

    for (int i = 0; i < HANDOVERS / 2; i++) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != me)
            futex(FUTEX_WAIT, 1 - me);
        /* Release: what this thread did comes before what the other does next. */
        atomic_store_explicit(&turn, 1 - me, memory_order_release);
        futex(FUTEX_WAKE, 1);
    }
    return NULL;
}

static double futex_ns(void)
{
    pthread_t other;
    double start = now();

    pthread_create(&other, NULL, hand_over, (void *)1);
    hand_over((void *)0);
    pthread_join(other, NULL);
    return (now() - start) / HANDOVERS;
}

static void *main_stack, *other_stack;

static void bounce(void)
{
    for (;;)
        bare_switch(&other_stack, main_stack);
}

static double switch_ns(void)
{
    static uint64_t stack[STACK / sizeof(uint64_t)] __attribute__((aligned(16)));
    uint64_t *top = stack + STACK / sizeof(uint64_t) - 2;

    /* Six registers to pop, then the address to return to. */
    top[-1] = (uint64_t)(uintptr_t)bounce;
    other_stack = top - 7;
    double start = now();
    for (int i = 0; i < SWITCHES / 2; i++)
        bare_switch(&main_stack, other_stack);
    return (now() - start) / SWITCHES;
}

static double fork_ns(void)
{
    double start = now();

    for (int i = 0; i < FORKS; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        if (pid < 0 || waitpid(pid, NULL, 0) != pid) {
            perror("fork");
            exit(1);
        }
    }
    return (now() - start) / FORKS;
}

int main(void)
{
    printf("futex %.1f\n", futex_ns());
    printf("switch %.2f\n", switch_ns());
    printf("fork %.0f\n", fork_ns());
    return 0;
}
