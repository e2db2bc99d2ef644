// Children: forked by two threads, waited for by number, by anybody, with handlers in order.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int prepared, in_parent, in_child;

static void prepare(void)
{
    pthread_mutex_lock(&lock);
    prepared++;
}

static void parent(void)
{
    in_parent++;
    pthread_mutex_unlock(&lock);
}

static void child(void)
{
    in_child++;
    pthread_mutex_unlock(&lock);
}

static void run_child(int status)
{
    /* a process of its own: locks, memory and threads work without control */
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    free(malloc(1000));
    _exit(in_child == 1 && prepared > 0 ? status : 99);
}

static void *work(void *arg)
{
    int status, code = arg ? 3 : 4;
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0)
        run_child(code);
    assert(waitpid(pid, &status, 0) == pid);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == code);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_atfork(prepare, parent, child);
    pthread_create(&thread, NULL, work, &thread);
    work(NULL);
    pthread_join(thread, NULL);
    assert(prepared == 2 && in_parent == 2 && in_child == 0);
    pid_t first = fork();
    if (first == 0)
        run_child(5);
    int status;
    siginfo_t info;
    assert(waitid(P_PID, (id_t)first, &info, WEXITED) == 0 && info.si_status == 5);
    if (fork() == 0)
        run_child(6);
    assert(wait(&status) > 0 && WEXITSTATUS(status) == 6);
    assert(wait(&status) == -1 && errno == ECHILD);
    return 0;
}
