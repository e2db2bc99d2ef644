// no race
/* A message from a child process: what its creator had done before comes before who reads it. */
#include "../race.h"
#include <sys/wait.h>

int x;
static int ends[2];

static void *a(void *unused)
{
    x = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(write(ends[1], "!", 1) == 1 ? 0 : 1);
    done(0);
    if (waitpid(child, NULL, 0) < 0)
        abort();
    return unused;
}

static void *b(void *unused)
{
    char byte;
    after(0);
    if (read(ends[0], &byte, 1) != 1)
        abort();
    USE(x);
    return unused;
}

int main(void)
{
    if (pipe(ends))
        abort();
    run(a, b);
    return 0;
}
