// A child process at the other end of a pipe; SIGCHLD tells of its end.
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void on_child(int signo)
{
    assert(signo == SIGCHLD);
    ended = 1;
}

int main(void)
{
    int to[2], from[2], status;
    char c;
    sigset_t block, before;
    signal(SIGCHLD, on_child);
    sigemptyset(&block);
    sigaddset(&block, SIGCHLD);
    sigprocmask(SIG_BLOCK, &block, &before);
    assert(pipe(to) == 0 && pipe(from) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < 3 && read(to[0], &c, 1) == 1; i++) {
            c++;
            assert(write(from[1], &c, 1) == 1);
        }
        _exit(0);
    }
    for (char i = 'a'; i < 'd'; i++) {
        assert(write(to[1], &i, 1) == 1);
        assert(read(from[0], &c, 1) == 1 && c == i + 1);
    }
    while (!ended)
        sigsuspend(&before);
    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
