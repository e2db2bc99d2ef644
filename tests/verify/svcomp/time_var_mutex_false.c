// violation: __VERIFIER_error
// race: block
// The twin of time_var_mutex.c that gives the busy bit's mutex back before it looks at it.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_error(void);

static int block, busy, inode, m_inode, m_busy;

static void __VERIFIER_atomic_acquire(int *m)
{
    __VERIFIER_assume(*m == 0);
    *m = 1;
}

static void __VERIFIER_atomic_release(int *m)
{
    *m = 0;
}

static void *allocator(void *arg)
{
    __VERIFIER_atomic_acquire(&m_inode);
    if (inode == 0) {
        __VERIFIER_atomic_acquire(&m_busy);
        busy = 1;
        __VERIFIER_atomic_release(&m_busy);
        inode = 1;
    }
    block = 1;
    if (block != 1)
        __VERIFIER_error();
    __VERIFIER_atomic_release(&m_inode);
    return arg;
}

static void *de_allocator(void *arg)
{
    __VERIFIER_atomic_acquire(&m_busy);
    int free = busy == 0;
    __VERIFIER_atomic_release(&m_busy);
    if (free) {
        block = 0;
        if (block != 0)
            __VERIFIER_error();
    }
    return arg;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, allocator, 0);
    pthread_create(&t2, 0, de_allocator, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
