/*
 * usage FILE RUNS COMMAND...: runs it so often, and writes to the file the CPU seconds of the
 * shortest run, user and system, to the microsecond, and the most memory that one of its processes
 * had, in MB; children included. Exits like the last run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(char **argv, double *seconds, double *megabytes)
{
    struct rusage usage = {0};
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        execvp(argv[0], argv);
        _exit(127);
    }
    if (wait4(child, &status, 0, &usage) < 0)
        return 127;
    *seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    *megabytes = (double)usage.ru_maxrss / 1024;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 3 ? fopen(argv[1], "w") : NULL;
    double best = 0, seconds = 0, most = 0, megabytes = 0;
    int status = 0;

    if (!file)
        return 2;
    for (int i = 0; i < atoi(argv[2]); i++) {
        status = run(argv + 3, &seconds, &megabytes);
        best = i == 0 || seconds < best ? seconds : best;
        most = megabytes > most ? megabytes : most;
    }
    fprintf(file, "%.6f %.0f\n", best, most);
    return fclose(file) != 0 ? 2 : status;
}
