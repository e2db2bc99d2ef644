// says: not seen: accesses by memory that is mapped from a file
// Two addresses of one page: who stores at one changes what is read at the other.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *one, *other;
static int seen;

static void *work(void *arg)
{
    *one = 1;
    return arg;
}

static void *look(void *arg)
{
    seen = *other;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int fd = memfd_create("page", 0);
    if (pwrite(fd, "", 1, 4095) != 1)
        return 1;
    one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
