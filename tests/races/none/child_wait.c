// no race
/* What a thread does before it creates a child process happens before the child, and its end before
   the wait for it, whichever thread waits. */
#define _GNU_SOURCE
#include "../race.h"
#include <spawn.h>
#include <sys/wait.h>

int x, y;
static pid_t forked, spawned;

static void fork_child(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    __atomic_store_n(&forked, child, __ATOMIC_RELAXED);
}

static void spawn_child(void)
{
    char *arguments[] = {"true", NULL};
    pid_t child;
    if (posix_spawnp(&child, "true", NULL, NULL, arguments, NULL) != 0)
        abort();
    __atomic_store_n(&spawned, child, __ATOMIC_RELAXED);
}

static void *a(void *unused)
{
    x = 1;
    fork_child();
    done(0);
    after(1);
    y = 1;
    spawn_child();
    done(2);
    return unused;
}

static void *b(void *unused)
{
    siginfo_t info;
    after(0);
    if (waitpid(__atomic_load_n(&forked, __ATOMIC_RELAXED), NULL, 0) < 0)
        abort();
    USE(x);
    done(1);
    after(2);
    if (waitid(P_PID, (id_t)__atomic_load_n(&spawned, __ATOMIC_RELAXED), &info, WEXITED) != 0)
        abort();
    USE(y);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
