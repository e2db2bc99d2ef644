/*
 * total COMMAND ARGS...: runs it and waits for all that it leaves behind; then prints the processor
 * seconds of all of them, those killed included.
 */
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (argc < 2 || fork() == 0) {
        execvp(argv[1], argv + 1);
        return 127;
    }
    while (wait(NULL) > 0)
        continue;
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("%.2f\n", seconds(usage.ru_utime) + seconds(usage.ru_stime));
    return 0;
}
