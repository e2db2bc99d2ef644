// Other programs: posix_spawn, system, popen, and a child that ends by a signal.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void spawn(void)
{
    /* The number of a child is another in each run: it is not asked for. */
    char *arguments[] = {"sh", "-c", "exit 5", NULL};
    int status;
    assert(posix_spawn(NULL, "/bin/sh", NULL, NULL, arguments, environ) == 0);
    assert(wait(&status) > 0 && WEXITSTATUS(status) == 5);
    assert(posix_spawnp(NULL, "sh", NULL, NULL, arguments, environ) == 0);
    assert(wait(&status) > 0 && WEXITSTATUS(status) == 5);
}

static void *run(void *arg)
{
    int status = system(arg ? "exit 9" : "exit 10");
    assert(WIFEXITED(status) && WEXITSTATUS(status) == (arg ? 9 : 10) && system(NULL));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    spawn();
    pthread_create(&thread, NULL, run, &thread);
    run(NULL);
    pthread_join(thread, NULL);
    int status;
    char line[32];
    FILE *stream = popen("echo out", "r");
    assert(stream && fgets(line, sizeof line, stream) && strcmp(line, "out\n") == 0);
    assert(pclose(stream) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    assert(kill(pid, SIGTERM) == 0);
    assert(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    return 0;
}
