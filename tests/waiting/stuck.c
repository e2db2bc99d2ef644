/* Loops that no thread can end, and loops that end by something else than a store: by the clock, a
   timer, a signal, chance, a counter, another process, or after a long computation. The argument
   says which. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 400000 };

static atomic_int flag, other;
static int plain;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static long words[WORDS];
static long count;

/* ---- for ever ---- */

static void *wait_for_flag(void *unused)
{
    while (!atomic_load(&flag))
        ;
    atomic_store(&other, 1);
    return unused;
}

static void *wait_for_other(void *unused)
{
    while (!atomic_load(&other))
        sched_yield();
    atomic_store(&flag, 1);
    return unused;
}

static void *leave_locked(void *unused)
{
    while (atomic_flag_test_and_set(&spin))
        ;
    return unused;
}

static void *exchange(void *unused)
{
    int expected;
    do
        expected = 5;
    while (!atomic_compare_exchange_strong(&flag, &expected, 6));
    return unused;
}

static void *wait_plainly(void *unused)
{
    while (!__atomic_load_n(&plain, __ATOMIC_RELAXED) && words[7] == 0)
        ;
    return unused;
}

/* ---- not for ever ---- */

static void *sum(void *unused)
{
    long total = 0;
    for (int i = 0; i < WORDS; i++)
        total += words[i];
    atomic_store(&flag, 1 + (total > 0));
    return unused;
}

static void *sleep_and_store(void *unused)
{
    usleep(500000);
    atomic_store(&flag, 1);
    return unused;
}

static void *count_in_memory(void *unused)
{
    while (!atomic_load(&flag))
        if (++count >= 300000)
            break;
    return unused;
}

static void *count_in_register(void *unused)
{
    for (int i = 0; i < 300000 && !atomic_load(&flag); i++)
        ;
    return unused;
}

static void *wait_until(void *unused)
{
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec++;
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (!atomic_load(&flag) && now.tv_sec <= end.tv_sec);
    return unused;
}

static void *try_luck(void *unused)
{
    while (!atomic_load(&flag) && rand() % 300000)
        ;
    return unused;
}

static void on_alarm(int signal)
{
    atomic_store(&flag, signal);
}

static void run(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

static void wait_for_child(void)
{
    atomic_int *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child == 0) {
        struct timespec moment = {.tv_nsec = 1000000};
        nanosleep(&moment, NULL);
        atomic_store(shared, 1);
        _exit(0);
    }
    while (!atomic_load(shared))
        ;
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    for (int i = 0; i < WORDS; i++)
        words[i] = strcmp(which, "plainly") != 0 && i > 100;
    if (!strcmp(which, "each-other"))
        run(wait_for_flag, wait_for_other);
    else if (!strcmp(which, "locked"))
        run(leave_locked, leave_locked);
    else if (!strcmp(which, "exchange"))
        run(exchange, exchange);
    else if (!strcmp(which, "plainly"))
        run(wait_plainly, wait_plainly);
    else if (!strcmp(which, "sum"))
        run(wait_for_flag, sum);
    else if (!strcmp(which, "sleep"))
        run(wait_for_flag, sleep_and_store);
    else if (!strcmp(which, "memory"))
        run(count_in_memory, count_in_memory);
    else if (!strcmp(which, "register"))
        run(count_in_register, count_in_register);
    else if (!strcmp(which, "clock"))
        run(wait_until, wait_until);
    else if (!strcmp(which, "luck"))
        run(try_luck, try_luck);
    else if (!strcmp(which, "alarm")) {
        signal(SIGALRM, on_alarm);
        alarm(1);
        run(wait_for_flag, wait_for_flag);
    } else if (!strcmp(which, "child"))
        wait_for_child();
    puts("ends");
    return 0;
}
