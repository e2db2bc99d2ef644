// The child of a fork makes threads of its own, which run free; the parent's go on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
    for (int i = 0; i < 100; i++) {
        void *block = malloc(100);
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
        free(block);
    }
    return arg;
}

static void run_threads(int n)
{
    pthread_t threads[4];
    for (int i = 0; i < n; i++)
        assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < n; i++)
        assert(pthread_join(threads[i], NULL) == 0);
}

int main(void)
{
    char *inherited = malloc(100);
    pid_t pid = fork();
    if (pid == 0) {
        run_threads(4);
        inherited = realloc(inherited, 5000);
        free(inherited);
        exit(count == 400 ? 7 : 8);
    }
    run_threads(2);
    int status;
    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert(count == 200);
    free(inherited);
    return 0;
}
