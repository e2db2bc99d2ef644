// After the character device of a driver book: a device whose readers and writers take a semaphore
// that is one atomic function; data is freed by whoever opens it to write.
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
void __VERIFIER_error(void);

static int sem, size, *data;

static void __VERIFIER_atomic_down(void)
{
    __VERIFIER_assume(sem == 0);
    sem = 1;
}

static void __VERIFIER_atomic_up(void)
{
    sem = 0;
}

static void *writer(void *arg)
{
    __VERIFIER_atomic_down();
    free(data);
    data = calloc(2, sizeof *data);
    size = 2;
    data[1] = 7;
    __VERIFIER_atomic_up();
    return arg;
}

static void *reader(void *arg)
{
    __VERIFIER_atomic_down();
    if (size == 2 && data[1] != 7)
        __VERIFIER_error();
    __VERIFIER_atomic_up();
    return arg;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_create(&three, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
