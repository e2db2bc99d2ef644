// violation: __VERIFIER_error
// race: y
// The twin of read_write_lock.c in which a writer does not look for readers.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_error(void);

static int writing, readers, x, y;

static void __VERIFIER_atomic_take_write_lock(void)
{
    __VERIFIER_assume(writing == 0);
    writing = 1;
}

static void __VERIFIER_atomic_give_write_lock(void)
{
    writing = 0;
}

static void __VERIFIER_atomic_take_read_lock(void)
{
    __VERIFIER_assume(writing == 0);
    readers = readers + 1;
}

static void __VERIFIER_atomic_give_read_lock(void)
{
    readers = readers - 1;
}

static void *writer(void *arg)
{
    __VERIFIER_atomic_take_write_lock();
    x = 3;
    y = 3;
    __VERIFIER_atomic_give_write_lock();
    return arg;
}

static void *reader(void *arg)
{
    __VERIFIER_atomic_take_read_lock();
    int l = x;
    if (y != l)
        __VERIFIER_error();
    __VERIFIER_atomic_give_read_lock();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, reader, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
