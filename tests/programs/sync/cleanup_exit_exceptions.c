// The same for C that is built with -fexceptions, where handlers are found by unwinding.
// cflags: -fexceptions
#include <assert.h>
#include <pthread.h>

static char trail[8];
static int steps;
static pthread_key_t key;

static void leave_mark(void *mark)
{
    trail[steps++] = *(const char *)mark;
}

static void inner(void *result)
{
    pthread_cleanup_push(leave_mark, "a");
    pthread_exit(result);
    pthread_cleanup_pop(0);
}

static void middle(void *result)
{
    pthread_cleanup_push(leave_mark, "b");
    inner(result);
    pthread_cleanup_pop(0);
}

static void *work(void *arg)
{
    pthread_setspecific(key, "d");
    pthread_cleanup_push(leave_mark, "x");
    pthread_cleanup_pop(1);
    pthread_cleanup_push(leave_mark, "c");
    middle(arg);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_key_create(&key, leave_mark);
    pthread_create(&thread, NULL, work, trail);
    assert(pthread_join(thread, &result) == 0 && result == trail);
    assert(steps == 5 && trail[0] == 'x' && trail[1] == 'a' && trail[2] == 'b');
    assert(trail[3] == 'c' && trail[4] == 'd');
    return 0;
}
