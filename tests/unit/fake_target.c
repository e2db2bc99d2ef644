/*
 * fake_target.c - a program that behaves to the driver like an instrumented one.
 *
 * It maps the control block itself and then does what its first argument says. With it
 * the driver's side of abi/control.h is tested without the runtime.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../abi/control.h"

static struct sm_control *control;

static void attach(void)
{
    const char *text = getenv(SM_CONTROL_ENV);
    int fd = text ? atoi(text) : -1;
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (control == MAP_FAILED || control->magic != SM_CONTROL_MAGIC)
        exit(99);
    control->attached = 1;
}

static void serve(int fd)
{
    int word = SM_SERVER_READY, status = -1;
    char order;
    (void)!write(fd, &word, sizeof word);
    while (read(fd, &order, 1) == 1) {
        pid_t child = fork();
        if (child == 0)
            return;
        waitpid(child, &status, 0);
        (void)!write(fd, &status, sizeof status);
    }
    _exit(0);
}

static void eat(void)
{
    for (;;) {
        mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
             0);
        usleep(1000);
    }
}

static int finish(int end, int status)
{
    control->end = (uint32_t)end;
    control->status = status;
    control->events = 5;
    control->trace_hash = control->options.seed * 1000;
    return status;
}

/* What the program can see of its surroundings, for the test to compare. */
static void show_surroundings(void)
{
    char line[64] = "";
    int fd = open("/dev/null", O_RDONLY);
    printf("fd %d\n", fd);
    printf("noise %s\n", getenv("SHLVL") ? "yes" : "no");
    printf("input %s\n", fgets(line, sizeof line, stdin) ? line : "none");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "unattached") == 0)
        return 4;
    attach();
    if (strcmp(what, "other") == 0) {
        control->magic = SM_CONTROL_OTHER_VERSION;
        control->attached = 0;
        return 70;
    }
    if (control->serve)
        serve(control->server_fd);
    if (strcmp(what, "sleep") == 0)
        pause();
    if (strcmp(what, "eat") == 0)
        eat();
    if (strcmp(what, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer may have its own idea */
        raise(SIGSEGV);
    }
    if (strcmp(what, "error") == 0)
        strcpy(control->detail, "the sky fell");
    if (strcmp(what, "deadlock") == 0)
        strcpy(control->detail, "thread 1 waits for thread 2");
    if (strcmp(what, "surroundings") == 0)
        show_surroundings();
    if (strcmp(what, "orphan") == 0 && fork() == 0)
        for (;;)
            pause();
    fflush(NULL);
    _exit(finish(strcmp(what, "error") == 0      ? SM_END_ERROR
                 : strcmp(what, "deadlock") == 0 ? SM_END_DEADLOCK
                                                 : SM_END_EXIT,
                 argc > 2 ? atoi(argv[2]) : 0));
}
