// no race
/* A thread that does not hold a mutex cannot unlock it, nor wait with it, where libc checks that:
   who locks it next is still ordered after who unlocked it last. */
#include "../race.h"
#include <errno.h>

static pthread_mutex_t checked, recursive;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int by_checked, by_recursive, by_wait;

static void add(pthread_mutex_t *mutex, int *to)
{
    pthread_mutex_lock(mutex);
    ++*to;
    pthread_mutex_unlock(mutex);
}

static void *a(void *unused)
{
    add(&checked, &by_checked);
    add(&recursive, &by_recursive);
    done(0);
    after(1);
    add(&checked, &by_wait);
    done(2);
    return unused;
}

static void expect_refused(int error)
{
    if (error != EPERM)
        abort();
}

static void *b(void *unused)
{
    after(0);
    expect_refused(pthread_mutex_unlock(&checked));
    add(&checked, &by_checked);
    expect_refused(pthread_mutex_unlock(&recursive));
    add(&recursive, &by_recursive);
    done(1);
    after(2);
    expect_refused(pthread_cond_wait(&cond, &checked));
    add(&checked, &by_wait);
    return unused;
}

static void make(pthread_mutex_t *mutex, int type)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(mutex, &attributes);
}

int main(void)
{
    make(&checked, PTHREAD_MUTEX_ERRORCHECK);
    make(&recursive, PTHREAD_MUTEX_RECURSIVE);
    run(a, b);
    return 0;
}
